import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { FIRST_REVISION, changeSetOfRevision } from '../../ledger/revision/stored-revisions.js';
import type { Period } from '../../price-series/periodicity.js';
import type { StoredRange } from '../read/point-window.js';
import type { PriceSnapshot } from '../read/price-loader.js';
import { pointId } from './point-id.js';
import { observationVersions } from './stored-versions.js';

/** Days that one statement reads: at most some 2,400 points of a series. */
const DAYS_PER_STATEMENT = 2000;

const IN_RANGE = 'serie_id = ? AND period BETWEEN ? AND ? AND day BETWEEN ? AND ?';

/*
 * The operation that made each point known. What is from before revisions were kept is known
 * since the first one.
 */
const select = (points: string) =>
  `SELECT p.period, p.day, ${changeSetOfRevision('CASE WHEN p.since < f.number THEN f.number ELSE p.since END')}` +
  ` FROM (SELECT serie_id, period, day, MIN(since) AS since FROM (${points}) v` +
  ` GROUP BY serie_id, period, day) p CROSS JOIN (SELECT ${FIRST_REVISION} AS number) f`;

/** Of the points as they were at a revision, which is bound three times. */
const SELECT_AT_REVISION = select(
  observationVersions
    .rowsKnownAt('o')
    .map(
      ({ from, known }) =>
        `SELECT serie_id, period, day, since FROM ${from} o WHERE ${IN_RANGE} AND ${known}`,
    )
    .join(' UNION ALL '),
);
/** Of the first version of each point. */
const SELECT_FIRST = select(
  observationVersions.selectStates('serie_id, period, day, since', `WHERE ${IN_RANGE}`),
);

/** Finds the change sets that made stored points known. */
@Injectable()
export class PointChangeSets {
  constructor(private readonly database: Database) {}

  /** The change sets of the points of a series in a range, by their ids (`pointId`). */
  async read(
    serieId: number,
    { firstPeriod, lastPeriod, firstDay, lastDay }: StoredRange,
    { points, revision: newest }: PriceSnapshot,
    signal: AbortSignal,
  ): Promise<Map<number, number>> {
    const revision = 'asOf' in points ? points.asOf : newest;
    const first = 'asOf' in points && points.firstPublished;
    const found = new Map<number, number>();
    for (let from = firstDay; from <= lastDay; from += DAYS_PER_STATEMENT) {
      signal.throwIfAborted();
      const to = Math.min(lastDay, from + DAYS_PER_STATEMENT - 1);
      const range = [serieId, firstPeriod, lastPeriod, from, to];
      const rows = await this.database.anyServer.arrays<[Period, number, number]>(
        first ? SELECT_FIRST : SELECT_AT_REVISION,
        first ? [...range, ...range] : [...range, revision, ...range, revision, revision],
      );
      for (const [period, day, changeSetId] of rows) found.set(pointId(serieId, period, day), changeSetId);
    }
    return found;
  }
}
