import type { Transaction } from '../../database/unit-of-work.js';
import { removeSeries, supersedeSeries } from '../../price-series/series-versions.js';
import type { PointPlan } from './point-changes.js';
import { selectByIds, type Reader } from './reading.js';
import type { RevertAct } from './revert-act.js';
import { addEffect, type RevertCounts } from './revert-counts.js';
import { sameRow, standingRow } from './standing-row.js';
import { statesOf, type StoredVersion } from './states.js';

/** The columns of `price_serie` that refer to records, with the tables of these. */
export const REFERENCES = {
  commodity_id: 'commodity',
  price_type_id: 'price_type',
  market_id: 'market',
  source_id: 'source',
  measure_unit_id: 'measure_unit',
} as const;
type Reference = keyof typeof REFERENCES;
const REFERENCE_COLUMNS = Object.keys(REFERENCES) as Reference[];

/** The attributes of a series. */
export type SeriesAttributes = Readonly<Record<Reference, number>> & {
  readonly uuid: string;
  readonly currency: string;
  readonly marked_periods: number;
};
const COLUMNS = ['uuid', ...REFERENCE_COLUMNS, 'currency', 'marked_periods'] as const;

/** What a revert does to a series. */
export interface SeriesChange {
  readonly id: number;
  /** Null where the series has gone. */
  readonly stored: SeriesAttributes | null;
  /** Null where it is to go. */
  readonly values: SeriesAttributes | null;
}

/** What a revert does to some series. */
export interface SeriesPlan {
  /** Those that come back or get attributes that they had. */
  readonly restored: SeriesChange[];
  /** Those that go, if they have no points and nothing uses them. */
  readonly made: SeriesChange[];
  /** Whether a series is there, so that it can have points, before any of them go. */
  readonly isThere: (id: number) => boolean;
  /** Those that this revert has removed already, before it was interrupted. */
  readonly gone: SeriesChange[];
}

type VersionRow = SeriesAttributes & { id: number; since: number; until: number | null };

/** @param comesBack whether a record that has gone comes back in the same revert */
export async function planSeries(
  reader: Reader,
  ids: readonly number[],
  act: RevertAct,
  comesBack: (table: string, id: number) => boolean,
  counts: RevertCounts,
): Promise<SeriesPlan> {
  const restored: SeriesChange[] = [];
  const made: SeriesChange[] = [];
  const gone: SeriesChange[] = [];
  const there = new Set<number>();
  for (const [id, versions] of await readHistories(reader, ids)) {
    const states = statesOf(versions);
    const stored = states.at(-1)?.value ?? null;
    if (stored !== null) there.add(id);
    if (act.hasGiven(states)) {
      const before = states.at(-2)?.value ?? null;
      addEffect(counts.series, before, stored);
      if (stored === null) gone.push({ id, stored: before, values: null });
      continue;
    }
    const values = standingRow(states, act);
    if (values === null) {
      if (stored !== null) made.push({ id, stored, values });
    } else if (act.hasTouched(states)) {
      const isSame = stored !== null && sameRow(stored, values);
      if (isSame || !(await canHave(reader, id, values, comesBack))) counts.changed_since++;
      else {
        addEffect(counts.series, stored, values);
        restored.push({ id, stored, values });
        there.add(id);
      }
    }
  }
  return { restored, made, gone, isThere: (id) => there.has(id) };
}

/**
 * Of series that the change set made, those that have no points left and are not joined. Joins that
 * the change set made end with it, also where a dry run still finds them.
 */
export async function planRemovedSeries(
  reader: Reader,
  changeSetId: number,
  made: readonly SeriesChange[],
  { points }: PointPlan,
  counts: RevertCounts,
): Promise<SeriesChange[]> {
  const left = new Map<number, number>();
  const rows = await selectByIds<{ id: number; points: number }>(
    reader,
    'SELECT serie_id AS id, COUNT(*) AS points FROM observation WHERE serie_id IN ({ids}) GROUP BY serie_id',
    made.map(({ id }) => id),
  );
  for (const { id, points: stored } of rows) left.set(id, Number(stored));
  for (const { serieId, values, isNew } of points) {
    const change = values === null ? -1 : isNew ? 1 : 0;
    left.set(serieId, (left.get(serieId) ?? 0) + change);
  }
  const joins = await reader.rows<{ from_id: number; into_id: number }>(
    'SELECT from_id, into_id FROM series_join WHERE until IS NULL AND change_set_id <> ?' +
      ' AND since NOT IN (SELECT number FROM revision WHERE change_set_id = ?)',
    [changeSetId, changeSetId],
  );
  const used = new Set(joins.flatMap(({ from_id, into_id }) => [from_id, into_id]));
  const removed = made.filter(({ id }) => (left.get(id) ?? 0) === 0 && !used.has(id));
  counts.series.removed += removed.length;
  counts.still_used += made.length - removed.length;
  return removed;
}

/** Stores the attributes of series, and brings those back that have gone. */
export async function restoreSeries(
  transaction: Transaction,
  changes: readonly SeriesChange[],
): Promise<void> {
  const { revision } = transaction;
  for (const { id, stored, values } of changes) {
    const attributes = COLUMNS.map((column) => values![column]);
    if (stored === null) {
      await transaction.execute(
        `INSERT INTO price_serie (id, ${COLUMNS.join(', ')}, since)` +
          ` VALUES (?, ${COLUMNS.map(() => '?').join(', ')}, ?)`,
        [id, ...attributes, revision],
      );
      transaction.touchSeries([id], { action: 'created' });
    } else {
      await supersedeSeries(transaction, [id]);
      await transaction.execute(
        `UPDATE price_serie SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')}, since = ? WHERE id = ?`,
        [...attributes, revision, id],
      );
      transaction.touchSeries([id]);
    }
  }
}

export async function removePlannedSeries(
  transaction: Transaction,
  removed: readonly SeriesChange[],
): Promise<void> {
  const ids = removed.map(({ id }) => id);
  if (ids.length > 0) await removeSeries(transaction, ids);
}

async function readHistories(
  reader: Reader,
  ids: readonly number[],
): Promise<Map<number, StoredVersion<SeriesAttributes>[]>> {
  const histories = new Map<number, StoredVersion<SeriesAttributes>[]>(ids.map((id) => [id, []]));
  for (const [table, until] of [
    ['price_serie_version', 'until'],
    ['price_serie', 'NULL AS until'],
  ]) {
    const rows = await selectByIds<VersionRow>(
      reader,
      `SELECT id, since, ${until}, ${COLUMNS.join(', ')} FROM ${table} WHERE id IN ({ids})`,
      ids,
    );
    for (const { id, since, until: last, ...value } of rows)
      histories.get(id)!.push({ since, until: last, value });
  }
  return histories;
}

/** Whether no other series has the uuid, and the records that the series refers to exist. */
async function canHave(
  reader: Reader,
  id: number,
  values: SeriesAttributes,
  comesBack: (table: string, id: number) => boolean,
): Promise<boolean> {
  const others = await reader.rows('SELECT id FROM price_serie WHERE uuid = ? AND id <> ?', [
    values.uuid,
    id,
  ]);
  if (others.length > 0) return false;
  for (const column of REFERENCE_COLUMNS) {
    const [table, record] = [REFERENCES[column], values[column]];
    if (comesBack(table, record)) continue;
    const found = await reader.rows(`SELECT id FROM ${table} WHERE id = ?`, [record]);
    if (found.length === 0) return false;
  }
  return true;
}
