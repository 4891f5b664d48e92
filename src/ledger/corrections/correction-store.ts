import { assignments, placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { Reads } from '../../database/reads.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../unit-of-work.js';
import type {
  CorrectedPoint,
  CorrectedRecord,
  CorrectedValue,
  CorrectionBase,
  CorrectionState,
  StandingCorrection,
} from './correction.js';

/** Rows of one statement. */
const BATCH = 500;

const SELECT_STANDING =
  'SELECT id, table_name, serie_id, period, day, record_id, record_key, calculated, base_value, base_comment, base_since,' +
  " value, comment FROM correction WHERE state = 'standing' AND ";

/** The corrections as `c`, each with the change set that created it as `m`, for a FROM clause. */
export const STORED_CORRECTIONS = 'correction c JOIN change_set m ON m.id = c.change_set_id';

/** The condition that a maintainer has added a point, which its source does not have. */
export const isAddedByCorrection = (point: string): string =>
  `EXISTS (SELECT 1 FROM correction c WHERE c.state = 'standing' AND c.serie_id = ${point}.serie_id` +
  ` AND c.period = ${point}.period AND c.day = ${point}.day AND c.base_value IS NULL)`;

/** The ids of the series of whose points there are corrections, also former ones. */
export async function correctedSeries(reads: Pick<Reads, 'rows'>): Promise<number[]> {
  const rows = await reads.rows<{ serie_id: number }>(
    'SELECT DISTINCT serie_id FROM correction WHERE serie_id IS NOT NULL',
  );
  return rows.map(({ serie_id }) => serie_id);
}

/** The days of points whose corrections change sets have ended, also where the prices stayed. */
export const correctedDays = (
  reads: Pick<Reads, 'rows'>,
  changeSetIds: readonly number[],
): Promise<{ readonly id: number; readonly firstDay: number; readonly lastDay: number }[]> =>
  reads.rows(
    'SELECT serie_id AS id, MIN(day) AS firstDay, MAX(day) AS lastDay FROM correction' +
      ` WHERE serie_id IS NOT NULL AND ended_change_set_id IN (${placeholders(changeSetIds.length)})` +
      ' GROUP BY serie_id ORDER BY serie_id',
    changeSetIds,
  );

/** Gives a correction other values of some columns. */
export async function changeCorrection(
  transaction: Transaction,
  id: number,
  values: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  const set = assignments(Object.keys(values));
  await transaction.execute(`UPDATE correction SET ${set} WHERE id = ?`, [...Object.values(values), id]);
}

/** Of a record. SQLite uses the index of these only for statements that say so. */
const IS_RECORD = "record_key <> ''";

/** A standing correction of a point. */
export type PointCorrection = StandingCorrection & CorrectedPoint;

/** A standing correction of a record. */
type RecordCorrection = StandingCorrection & Omit<CorrectedRecord, 'table'>;

interface StandingRow {
  id: number;
  table_name: string;
  serie_id: number;
  period: number;
  day: number;
  record_id: number;
  record_key: string;
  calculated: number | boolean;
  base_value: number | null;
  base_comment: string | null;
  base_since: number;
  value: number | null;
  comment: string | null;
}

/** The standing correction of a point, or null. */
export async function correctionOfPoint(
  transaction: Transaction,
  { serieId, period, day }: Omit<CorrectedPoint, 'calculated'>,
): Promise<PointCorrection | null> {
  const [row] = await transaction.rows<StandingRow>(
    `${SELECT_STANDING} serie_id = ? AND period = ? AND day = ?`,
    [serieId, period, day],
  );
  return row === undefined ? null : toPointCorrection(row);
}

/** The correction with an id if it stands, or null. */
export async function standingCorrection(
  transaction: Transaction,
  id: number,
): Promise<PointCorrection | (RecordCorrection & Pick<CorrectedRecord, 'table'>) | null> {
  const [row] = await transaction.rows<StandingRow>(`${SELECT_STANDING} id = ?`, [id]);
  if (row === undefined) return null;
  return row.record_key === ''
    ? toPointCorrection(row)
    : { ...toRecordCorrection(row), table: row.table_name };
}

/** The standing corrections of the points of series whose ids are between two, in one statement. */
export async function correctionsOfSeries(
  transaction: Transaction,
  firstId: number,
  lastId: number,
): Promise<PointCorrection[]> {
  const rows = await transaction.rows<StandingRow>(`${SELECT_STANDING} serie_id BETWEEN ? AND ?`, [
    firstId,
    lastId,
  ]);
  return rows.map(toPointCorrection);
}

/** The standing corrections of records, by their keys as JSON. */
export async function correctionsOfRecords(
  transaction: Transaction,
  table: string,
  keys: readonly string[],
): Promise<Map<string, RecordCorrection>> {
  const found = new Map<string, RecordCorrection>();
  for (const batch of batchesOf(keys, BATCH)) {
    const rows = await transaction.rows<StandingRow>(
      `${SELECT_STANDING} ${IS_RECORD} AND table_name = ? AND record_key IN (${placeholders(batch.length)})`,
      [table, ...batch],
    );
    for (const row of rows) found.set(row.record_key, toRecordCorrection(row));
  }
  return found;
}

/**
 * Whether a correction of a record stands.
 * @param key the first values of the unique key of its table
 * @param lastDay null for all later days
 * @param isMeant asked of the unique keys with these first values
 */
export async function isRecordCorrected(
  transaction: Transaction,
  table: string,
  key: readonly string[],
  firstDay: number,
  lastDay: number | null,
  isMeant: (key: readonly string[]) => boolean = () => true,
): Promise<boolean> {
  const rows = await transaction.rows<Pick<StandingRow, 'record_key'>>(
    `SELECT record_key FROM correction WHERE state = 'standing' AND ${IS_RECORD} AND table_name = ?` +
      ` AND record_key LIKE ? AND day >= ?${lastDay === null ? '' : ' AND day <= ?'}`,
    [table, `${JSON.stringify(key).slice(0, -1)},%`, firstDay, ...(lastDay === null ? [] : [lastDay])],
  );
  return rows.some(({ record_key }) => isMeant(JSON.parse(record_key) as string[]));
}

/** Adds a correction that stands, made by the change set of the transaction. */
export async function addCorrection(
  transaction: Transaction,
  about: CorrectedPoint | CorrectedRecord,
  base: CorrectionBase | null,
  ours: CorrectedValue | null,
): Promise<void> {
  const where: SqlValue[] =
    'serieId' in about
      ? ['observation', about.serieId, about.period, about.day, null, '', about.calculated ? 1 : 0]
      : [about.table, null, null, about.day, about.recordId, about.key, 0];
  await transaction.executeWithNext(
    'INSERT INTO correction (state, table_name, serie_id, period, day, record_id, record_key, calculated,' +
      ' base_value, base_comment, base_since, value, comment, change_set_id, since)' +
      " VALUES ('standing', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [
      ...where,
      base?.value ?? null,
      base?.comment || null,
      base?.since ?? 0,
      ours?.value ?? null,
      ours?.comment || null,
      await transaction.changeSetId(),
      transaction.revision,
    ],
  );
}

/** Ends corrections, by the change set of the transaction. */
export async function endCorrections(
  transaction: Transaction,
  ids: readonly number[],
  state: Exclude<CorrectionState, 'standing'>,
): Promise<void> {
  const changeSetId = await transaction.changeSetId();
  // Where a revert lets a correction stand that a source has confirmed, that source is kept: the
  // confirmation may count again, and has left no other trace.
  const by = state === 'confirmed' ? '?' : 'COALESCE(ended_change_set_id, ?)';
  for (const batch of batchesOf(ids, BATCH)) {
    await transaction.execute(
      `UPDATE correction SET state = ?, ended_change_set_id = ${by}, until = ? WHERE id IN (${placeholders(batch.length)})`,
      [state, changeSetId, transaction.revision, ...batch],
    );
  }
}

function standing(row: StandingRow): StandingCorrection {
  const { id, base_value, base_comment, base_since, value, comment } = row;
  return {
    id,
    base: base_value === null ? null : { value: base_value, comment: base_comment, since: base_since },
    ours: value === null ? null : { value, comment },
  };
}

function toPointCorrection(row: StandingRow): PointCorrection {
  const { serie_id: serieId, period, day, calculated } = row;
  return { ...standing(row), serieId, period, day, calculated: Boolean(calculated) };
}

function toRecordCorrection(row: StandingRow): RecordCorrection {
  const { record_key: key, record_id: recordId, day } = row;
  return { ...standing(row), key, recordId, day };
}
