import { placeholders, rowPlaceholders } from '../../../database/sql.js';
import { batchesOf } from '../../../lib/collections/batches.js';
import type { SqlValue } from '../../../database/database.js';
import type { Transaction } from '../../../ledger/unit-of-work.js';
import type { TestedPoint } from '../../rules/neighbours.js';
import type { PowerStep } from '../../rules/redenomination.js';
import { RULES } from '../../rules/rule-table.js';

/** Values of one statement. */
const BATCH = 500;

/** The ratio from which rules over groups look at a point, the least of those of all rules. */
export const MIN_OUTLIER_RATIO = RULES.batch.thresholds.ratio;

/** A point that rules over groups look at: its day, its value and what it is compared with. */
type Mark = readonly [day: number, value: number, reference: number];

/** The tables of marks, with the column of what a value is compared with. */
const TABLES = { series_outlier: 'median', series_step: 'previous' } as const;
type MarkTable = keyof typeof TABLES;

/** The marks of a series by table, each by day in ascending order. */
export type SeriesMarks = Readonly<Record<MarkTable, readonly Mark[]>>;

const SELECT_MARKS = Object.entries(TABLES)
  .map(
    ([table, reference]) =>
      `SELECT '${table}' AS name, serie_id, day, value, ${reference} AS reference FROM ${table} WHERE serie_id IN ({ids})`,
  )
  .join(' UNION ALL ');

/**
 * @param tested points of a series whose ratios are beyond `MIN_OUTLIER_RATIO`
 * @param steps its steps by powers of ten
 */
export const marksOf = (tested: readonly TestedPoint[], steps: readonly PowerStep[]): SeriesMarks => ({
  series_outlier: tested
    .filter(({ sidesAgree }) => sidesAgree)
    .map(({ day, value, median }): Mark => [day, value, median]),
  series_step: steps.map(({ day, value, previous }): Mark => [day, value, previous]),
});

/**
 * Stores what rules over groups compare between series, so that they need not read all points of a
 * country.
 * @param marks by the id of the series
 * @param marked those of the series of which marks are stored
 */
export async function saveMarks(
  transaction: Transaction,
  marks: ReadonlyMap<number, SeriesMarks>,
  marked: ReadonlySet<number>,
): Promise<void> {
  const ids = [...marks.keys()].filter((id) => marked.has(id) || hasMarks(marks.get(id)!));
  for (const batch of batchesOf(ids, BATCH / 2)) {
    const stored = await storedMarks(transaction, batch);
    for (const table of Object.keys(TABLES) as MarkTable[]) {
      // Most changes leave most series' marks as they are.
      const differing = batch.filter(
        (id) => textOf(marks.get(id)![table]) !== textOf(stored.get(`${table} ${id}`) ?? []),
      );
      await replace(transaction, table, differing, stored, marks);
    }
  }
}

/** Whether there are any. */
export const hasMarks = (marks: SeriesMarks): boolean =>
  Object.values(marks).some(({ length }) => length > 0);

/** Removes the marks of series that are gone. */
export async function removeMarks(transaction: Transaction, ids: readonly number[]): Promise<void> {
  for (const batch of batchesOf(ids, BATCH)) {
    for (const table of Object.keys(TABLES))
      await transaction.execute(
        `DELETE FROM ${table} WHERE serie_id IN (${placeholders(batch.length)})`,
        batch,
      );
  }
}

const textOf = (marks: readonly Mark[]) => marks.join(' ');

/** The stored marks, by table and series. */
async function storedMarks(transaction: Transaction, ids: readonly number[]): Promise<Map<string, Mark[]>> {
  const stored = new Map<string, Mark[]>();
  const rows = await transaction.rows<{
    name: string;
    serie_id: number;
    day: number;
    value: number;
    reference: number;
  }>(SELECT_MARKS.replaceAll('{ids}', placeholders(ids.length)), [...ids, ...ids]);
  for (const { name, serie_id, day, value, reference } of rows) {
    const key = `${name} ${serie_id}`;
    const marks = stored.get(key);
    if (marks === undefined) stored.set(key, [[day, value, reference]]);
    else marks.push([day, value, reference]);
  }
  for (const marks of stored.values()) marks.sort(([one], [other]) => one - other);
  return stored;
}

async function replace(
  transaction: Transaction,
  table: MarkTable,
  ids: readonly number[],
  stored: ReadonlyMap<string, Mark[]>,
  marks: ReadonlyMap<number, SeriesMarks>,
): Promise<void> {
  const marked = ids.filter((id) => stored.has(`${table} ${id}`));
  if (marked.length > 0) {
    await transaction.execute(
      `DELETE FROM ${table} WHERE serie_id IN (${placeholders(marked.length)})`,
      marked,
    );
  }
  const rows = ids.flatMap((id) => marks.get(id)![table].map((mark): SqlValue[] => [id, ...mark]));
  for (const batch of batchesOf(rows, BATCH)) {
    await transaction.execute(
      `INSERT INTO ${table} (serie_id, day, value, ${TABLES[table]}) VALUES ${rowPlaceholders(batch.length, 4)}`,
      batch.flat(),
    );
  }
}
