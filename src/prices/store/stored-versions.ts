import type { Reads } from '../../database/reads.js';
import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { TableWithVersions } from '../../ledger/versions/versioned-table.js';
import type { Period } from '../../price-series/periodicity.js';
import { MAX_LIST_IDS, idList } from '../read/id-list.js';
import type { PointKey } from './point-id.js';

/** The points with all that they were. */
export const observationVersions = new TableWithVersions('observation', [
  'serie_id',
  'period',
  'day',
  'value',
  'calculated',
  'comment',
  'provisional',
]);

/** What a stored point was from one revision until another; null where it still is. */
export type PointVersionRow = [
  serieId: number,
  value: number,
  comment: string | null,
  calculated: number,
  since: number,
  until: number | null,
];

const selectVersions = (ids: string) =>
  observationVersions.selectVersions(
    'serie_id, value, comment, calculated',
    `WHERE serie_id IN (${ids}) AND period = ? AND day = ?`,
  );

/** All that the points of some series on a day were and are. */
export async function readPointVersions(
  reads: Pick<Reads, 'arrays'>,
  serieIds: readonly number[],
  { period, day }: Pick<PointKey, 'period' | 'day'>,
): Promise<PointVersionRow[]> {
  const rows: PointVersionRow[] = [];
  for (const batch of batchesOf(serieIds, MAX_LIST_IDS)) {
    const list = idList(batch);
    const bound = [...list.values, period, day];
    rows.push(
      ...(await reads.arrays<PointVersionRow>(selectVersions(list.placeholders), [...bound, ...bound])),
    );
  }
  return rows;
}

/** Rows that one statement reads: a few milliseconds of work for SQLite. */
export const ROWS_OF_DIFFERENCES = 2500;

const selectSide = (side: 0 | 1, table: string, known: string) =>
  `SELECT * FROM (SELECT ${side} AS side, period, day, value, comment FROM ${table}` +
  ` WHERE serie_id = ? AND (period > ? OR (period = ? AND day > ?)) AND ${known}` +
  ` ORDER BY period, day LIMIT ${ROWS_OF_DIFFERENCES}) x`;
/** Points of the first revision that are no longer so at the second (side 0), and the reverse. */
export const SELECT_DIFFERENCES = [
  selectSide(0, 'observation_version', 'since <= ? AND until > ? AND until <= ?'),
  selectSide(1, 'observation_version', 'since > ? AND since <= ? AND until > ?'),
  selectSide(1, 'observation', 'since > ? AND since <= ?'),
]
  .join(' UNION ALL ')
  .concat(` ORDER BY period, day, side LIMIT ${ROWS_OF_DIFFERENCES}`);

/** A point at one of two revisions, side 0 or 1. */
export type SideRow = [side: number, period: Period, day: number, value: number, comment: string | null];

const KEY = 'serie_id = ? AND period IN (1, 2, 3) AND day BETWEEN ? AND ?';
const COLUMNS = 'serie_id, period, day, value, comment, calculated, provisional';
/**
 * What the points of one series became at a revision, and what they were before. Values: its id,
 * first and last day and the revision, three times.
 */
export const SELECT_POINT_CHANGES =
  `SELECT 1 AS now, ${COLUMNS} FROM observation WHERE ${KEY} AND since = ?` +
  ` UNION ALL SELECT 1, ${COLUMNS} FROM observation_version WHERE ${KEY} AND since = ?` +
  ` UNION ALL SELECT 0, ${COLUMNS} FROM observation_version WHERE ${KEY} AND until = ?`;

export type PointChangeRow = [
  now: number,
  serieId: number,
  period: Period,
  day: number,
  value: number,
  comment: string | null,
  calculated: number,
  provisional: number,
];

/** The points from before there were versions, by series: how many, their first and last day. */
export async function countOriginalPoints(
  reads: Pick<Reads, 'arrays'>,
  serieIds: readonly number[],
): Promise<Map<number, readonly [count: number, firstDay: number, lastDay: number]>> {
  if (serieIds.length === 0) return new Map();
  const where = `WHERE since = 0 AND serie_id IN (${placeholders(serieIds.length)})`;
  const rows = await reads.arrays<[id: number, count: number | string, first: number, last: number]>(
    `SELECT serie_id, COUNT(*), MIN(day), MAX(day) FROM (${observationVersions.selectStates('serie_id, day', where)}) p` +
      ' GROUP BY serie_id',
    [...serieIds, ...serieIds],
  );
  return new Map(rows.map(([id, count, first, last]) => [id, [Number(count), first, last] as const]));
}
