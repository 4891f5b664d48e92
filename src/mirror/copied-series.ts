import { dayFromIso } from '../lib/dates/calendar-date.js';
import type { Transaction } from '../ledger/unit-of-work.js';
import type { SeriesItem } from '../history/feed/feed-item.js';
import type { PointValue } from '../history/feed/point-changes.js';
import type { JoinedInto } from '../history/feed/series-relations.js';
import type { SeriesAttributes } from '../history/feed/series-values.js';
import { PERIOD_NAMES, PERIODS, type PeriodName } from '../price-series/periodicity.js';
import type { JoinRow } from '../price-series/joins/series-joins.js';
import {
  addSeriesAliases,
  aliasesOfSeries,
  idOfUuid,
  removeAliases,
} from '../price-series/series-aliases.js';
import { SERIES_STATUSES } from '../price-series/series-status.js';
import { readSeries } from '../price-series/series-store.js';
import { changeSeries, insertSeries, removeSeries } from '../price-series/series-versions.js';
import { endJoinFrom, insertJoin, readJoins } from '../price-series/joins/stored-joins.js';
import type { ObservationStore, RestoredPoint } from '../prices/store/observation-store.js';

const COLUMNS = [
  'commodity_id',
  'price_type_id',
  'market_id',
  'source_id',
  'measure_unit_id',
  'currency',
] as const satisfies (keyof SeriesAttributes)[];

/** The tables that a series refers to, and how. */
const RECORDS = [
  ['commodity', 'commodity_id'],
  ['price_type', 'price_type_id'],
  ['market', 'market_id'],
  ['source', 'source_id'],
  ['measure_unit', 'measure_unit_id'],
] as const satisfies [string, keyof SeriesAttributes][];

const periodOf = (name: PeriodName) => PERIODS.find((period) => PERIOD_NAMES[period] === name)!;

/** Gives a series the attributes, points and other uuids of an item. */
export async function copySeries(
  transaction: Transaction,
  store: ObservationStore,
  item: SeriesItem,
): Promise<void> {
  if (item.attributes !== undefined) await copyAttributes(transaction, item.uuid, item.attributes);
  const id = await idOfUuid(transaction, item.uuid);
  if (id === null) return;
  if (item.changes?.length) await store.restore(transaction, pointsOf(id, item));
  await copyAliases(transaction, id, item.aliases ?? []);
}

/**
 * Which record that a series refers to is not there, because what the source said of it was left
 * out; null where all are.
 */
export async function missingRecord(
  transaction: Transaction,
  { attributes }: SeriesItem,
): Promise<string | null> {
  if (attributes === undefined) return null;
  const [found] = await transaction.arrays<(number | null)[]>(
    `SELECT ${RECORDS.map(([table]) => `(SELECT id FROM ${table} WHERE id = ?)`).join(', ')}`,
    RECORDS.map(([, column]) => attributes[column]),
  );
  const missing = RECORDS.find((_, index) => found![index] === null);
  return missing === undefined ? null : `there is no ${missing[0]} ${attributes[missing[1]]}.`;
}

/** Whether the series into which an item joins its own is there, if it does. */
export async function canJoin(transaction: Transaction, { joined_into: join }: SeriesItem): Promise<boolean> {
  if (!join) return true;
  return (await readSeries(transaction, join.id, ['id'])) !== undefined;
}

/**
 * Makes and ends joins as items of a revision say, and computes the periodicity of the series that
 * show others. After series have come, and before they go.
 */
export async function copyJoins(
  transaction: Transaction,
  store: ObservationStore,
  items: readonly SeriesItem[],
): Promise<void> {
  const relevant = items.filter((item) => item.joined_into !== undefined || item.attributes !== undefined);
  if (relevant.length === 0) return;
  const before = await readJoins(transaction);
  const ids: number[] = [];
  for (const { uuid, attributes, joined_into: join } of relevant) {
    const id = attributes?.id ?? (await idOfUuid(transaction, uuid));
    if (id === null) continue;
    ids.push(id);
    if (join !== undefined) await copyJoin(transaction, id, join);
  }
  const after = await readJoins(transaction);
  const showing = [before, after].flatMap((joins) =>
    ids.flatMap((id) => [
      ...(joins.membersOf(id) === null ? [] : [id]),
      ...joins.shownBy(id).map(({ serieId }) => serieId),
    ]),
  );
  if (showing.length > 0) await store.recompute(transaction, showing);
}

/** Removes the series of an item that says that it has gone, rather than been joined. */
export async function removeCopiedSeries(
  transaction: Transaction,
  { uuid, action, joined_into: join }: SeriesItem,
): Promise<void> {
  if (action !== 'removed' || join) return;
  const id = await idOfUuid(transaction, uuid);
  if (id !== null) await removeSeries(transaction, [id]);
}

async function copyAttributes(
  transaction: Transaction,
  uuid: string,
  attributes: SeriesAttributes,
): Promise<void> {
  const marks = attributes.marked_periods.reduce((bits, name) => bits | (1 << periodOf(name)), 0);
  // A service of a former release has observed prices only.
  const status = SERIES_STATUSES.indexOf(attributes.status ?? 'observed');
  const columns = COLUMNS.map((column) => [column, attributes[column]] as const);
  const values = { ...Object.fromEntries(columns), marked_periods: marks, status };
  if ((await idOfUuid(transaction, uuid)) === null) {
    await insertSeries(transaction, attributes.id, { uuid, ...values });
    transaction.markSeriesModified([attributes.id], { action: 'created' });
    return;
  }
  await changeSeries(transaction, attributes.id, values);
  transaction.markSeriesModified([attributes.id]);
}

function pointsOf(serieId: number, { changes }: SeriesItem): RestoredPoint[] {
  const valuesOf = ({ price_value, comment, calculated, provisional }: PointValue) => ({
    value: price_value,
    comment,
    calculated,
    ...(provisional && { provisional }),
  });
  return changes!.map(({ periodicity, date, after }) => ({
    serieId,
    period: periodOf(periodicity),
    day: dayFromIso(date)!,
    values: after === null ? null : valuesOf(after),
  }));
}

async function copyAliases(transaction: Transaction, id: number, uuids: readonly string[]): Promise<void> {
  const stored = new Set((await aliasesOfSeries(transaction, [id])).map(([, uuid]) => uuid));
  const removed = [...stored].filter((uuid) => !uuids.includes(uuid));
  const added = uuids.filter((uuid) => !stored.has(uuid));
  if (removed.length + added.length === 0) return;
  // One that is added may have led to another series.
  await removeAliases(transaction, 'uuid', [...removed, ...added]);
  await addSeriesAliases(
    transaction,
    added.map((uuid) => ({ uuid, serieId: id })),
  );
  transaction.markSeriesModified([id]);
}

/** Ends the join of a series, and joins it into another one unless there is none. */
async function copyJoin(transaction: Transaction, id: number, join: JoinedInto | null): Promise<void> {
  await endJoinFrom(transaction, id);
  if (join !== null) {
    const row: JoinRow = {
      from_id: id,
      into_id: join.id,
      factor: join.factor,
      prefer: join.prefer,
      start_day: join.start_date === null ? null : dayFromIso(join.start_date),
      end_day: join.end_date === null ? null : dayFromIso(join.end_date),
    };
    await insertJoin(transaction, row, (await transaction.changeSetId())!, join.place);
  }
  transaction.markSeriesModified([id], { action: join === null ? 'created' : 'removed' });
}
