import { currentRevision } from '../../ledger/revision/current-revision.js';
import { seriesVersions } from '../../price-series/series-attributes.js';
import { seriesWith } from '../../price-series/series-views.js';
import { observationVersions } from './stored-versions.js';

/** Values: period, calculated, first and last day, ids. */
export const selectExistence = (ids: string) =>
  `SELECT ${currentRevision('series')}, s.id, EXISTS (SELECT 1 FROM observation o` +
  ' WHERE o.serie_id = s.id AND o.period = ? AND o.calculated = ? AND o.day BETWEEN ? AND ?)' +
  ` FROM ${seriesWith()} WHERE s.id IN (${ids})`;

/**
 * The same for an earlier revision, at which the series may have gone. Values: period, calculated,
 * first and last day, the revision; these again, with the revision twice; ids, twice.
 */
export const selectPastExistence = (ids: string) => {
  const some = observationVersions
    .rowsKnownAt('o')
    .map(
      ({ from, known }) =>
        `EXISTS (SELECT 1 FROM ${from} o WHERE o.serie_id = s.id AND o.period = ? AND o.calculated = ?` +
        ` AND o.day BETWEEN ? AND ? AND ${known})`,
    );
  return (
    `SELECT 0, s.id, ${some.join(' OR ')}` +
    ` FROM (SELECT DISTINCT id FROM (${seriesVersions.selectStates('id', `WHERE id IN (${ids})`)}) x) s`
  );
};

/** Values: ids, periods, first and last day. @param most rows that are counted */
export const selectCount = (ids: string, periods: number, most: number) =>
  'SELECT COUNT(*) FROM (SELECT 1 FROM observation o' +
  ` WHERE o.serie_id IN (${ids}) AND o.period IN (${Array(periods).fill('?').join(', ')})` +
  ` AND o.calculated = 0 AND o.day BETWEEN ? AND ? LIMIT ${most}) counted`;
