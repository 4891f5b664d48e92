import type { Reads } from '../../database/reads.js';
import { placeholders } from '../../database/sql.js';
import { selectAffectedRecords, selectAffectedSeries } from '../changes/stored-changes.js';
import type { CorrectionRow } from './correction.entity.js';

const SELECT =
  'SELECT id, state, table_name, serie_id, period, day, record_id, record_key, base_value, base_comment,' +
  ' value, comment, change_set_id, since, ended_change_set_id, until FROM correction WHERE ';

type CommonColumns = Pick<
  CorrectionRow,
  | 'id'
  | 'state'
  | 'table_name'
  | 'base_value'
  | 'base_comment'
  | 'value'
  | 'comment'
  | 'change_set_id'
  | 'since'
  | 'ended_change_set_id'
  | 'until'
>;

/** A correction of a point, as it is stored. */
export interface StoredPointCorrection extends CommonColumns {
  readonly serie_id: number;
  /** Daily, weekly, monthly. */
  readonly period: 1 | 2 | 3;
  readonly day: number;
}

/** A correction of a rate or an index, as it is stored. */
interface StoredRecordCorrection extends CommonColumns {
  readonly serie_id: null;
  readonly record_id: number;
  /** The values of the record's unique key as JSON. */
  readonly record_key: string;
}

/** A correction, as it is stored. */
export type StoredCorrection = StoredPointCorrection | StoredRecordCorrection;

const isTheirs = (ids: string) => `(change_set_id IN (${ids}) OR ended_change_set_id IN (${ids}))`;
/** Those of points that change sets made or ended, and those of series that they affected. */
const selectPoints = (ids: string) =>
  `${SELECT} record_key = '' AND (${isTheirs(ids)}` +
  ` OR serie_id IN (${selectAffectedSeries(ids)})) ORDER BY since, id`;

/** The same of rates and indices: all corrections with the same keys. */
const selectRecords = (ids: string) =>
  `${SELECT} (table_name, record_key) IN (SELECT table_name, record_key FROM correction` +
  ` WHERE record_key <> '' AND (${isTheirs(ids)}` +
  ` OR (table_name, record_id) IN (${selectAffectedRecords(ids)})))` +
  ' ORDER BY since, id';

const concerning = <Row>(
  reads: Pick<Reads, 'rows'>,
  select: (ids: string) => string,
  ids: readonly number[],
): Promise<Row[]> => reads.rows<Row>(select(placeholders(ids.length)), [...ids, ...ids, ...ids]);

/** The corrections of points that change sets made or ended, and of series that they affected. */
export const concernedPoints = (
  reads: Pick<Reads, 'rows'>,
  changeSetIds: readonly number[],
): Promise<StoredPointCorrection[]> => concerning(reads, selectPoints, changeSetIds);

/** The same of rates and indices: all corrections with the same keys. */
export const concernedRecords = (
  reads: Pick<Reads, 'rows'>,
  changeSetIds: readonly number[],
): Promise<StoredRecordCorrection[]> => concerning(reads, selectRecords, changeSetIds);
