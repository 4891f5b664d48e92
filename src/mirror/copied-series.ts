import { dayFromIso } from '../lib/dates/calendar-date.js';
import type { Transaction } from '../database/unit-of-work.js';
import type { SeriesItem } from '../history/changes/feed-item.js';
import type { PointValue } from '../history/changes/point-changes.js';
import type { SeriesAttributes } from '../history/changes/series-values.js';
import { PERIOD_NAMES, PERIODS, type PeriodName } from '../price-series/periodicity.js';
import { removeSeries, supersedeSeries } from '../price-series/series-versions.js';
import type { ObservationStore, RestoredPoint } from '../prices/store/observation-store.js';

const COLUMNS = [
  'commodity_id',
  'price_type_id',
  'market_id',
  'source_id',
  'measure_unit_id',
  'currency',
] as const satisfies (keyof SeriesAttributes)[];

const periodOf = (name: PeriodName) => PERIODS.find((period) => PERIOD_NAMES[period] === name)!;

/** Does to a series and its points what an item tells. */
export async function copySeries(
  transaction: Transaction,
  store: ObservationStore,
  item: SeriesItem,
): Promise<void> {
  if (item.attributes !== undefined) await copyAttributes(transaction, item.uuid, item.attributes);
  const id = await findId(transaction, item.uuid);
  if (id === null) return;
  if (item.changes!.length > 0) await store.restore(transaction, pointsOf(id, item));
  await copyAliases(transaction, id, item.aliases ?? []);
  if (item.joined_into !== undefined) await copyJoin(transaction, store, id, item);
  else if (item.action === 'removed') await removeSeries(transaction, [id]);
}

async function findId(transaction: Transaction, uuid: string): Promise<number | null> {
  const [row] = await transaction.rows<{ id: number }>('SELECT id FROM price_serie WHERE uuid = ?', [uuid]);
  return row?.id ?? null;
}

async function copyAttributes(
  transaction: Transaction,
  uuid: string,
  attributes: SeriesAttributes,
): Promise<void> {
  const marks = attributes.marked_periods.reduce((bits, name) => bits | (1 << periodOf(name)), 0);
  const values = [...COLUMNS.map((column) => attributes[column]), marks, transaction.revision];
  const columns = [...COLUMNS, 'marked_periods', 'since'];
  if ((await findId(transaction, uuid)) === null) {
    await transaction.execute(
      `INSERT INTO price_serie (id, uuid, ${columns.join(', ')}) VALUES (?, ?, ${columns.map(() => '?').join(', ')})`,
      [attributes.id, uuid, ...values],
    );
    transaction.touchSeries([attributes.id], { action: 'created' });
    return;
  }
  await supersedeSeries(transaction, [attributes.id]);
  await transaction.execute(
    `UPDATE price_serie SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
    [...values, attributes.id],
  );
  transaction.touchSeries([attributes.id]);
}

function pointsOf(serieId: number, { changes }: SeriesItem): RestoredPoint[] {
  const valuesOf = ({ price_value, comment, calculated }: PointValue) => ({
    value: price_value,
    comment,
    calculated,
  });
  return changes!.map(({ periodicity, date, after }) => ({
    serieId,
    period: periodOf(periodicity),
    day: dayFromIso(date)!,
    values: after === null ? null : valuesOf(after),
  }));
}

async function copyAliases(transaction: Transaction, id: number, uuids: readonly string[]): Promise<void> {
  const rows = await transaction.rows<{ uuid: string }>('SELECT uuid FROM series_alias WHERE serie_id = ?', [
    id,
  ]);
  const stored = new Set(rows.map(({ uuid }) => uuid));
  for (const uuid of stored)
    if (!uuids.includes(uuid)) await transaction.execute('DELETE FROM series_alias WHERE uuid = ?', [uuid]);
  for (const uuid of uuids.filter((each) => !stored.has(each))) {
    await transaction.execute('DELETE FROM series_alias WHERE uuid = ?', [uuid]);
    await transaction.execute('INSERT INTO series_alias (uuid, serie_id, since) VALUES (?, ?, ?)', [
      uuid,
      id,
      transaction.revision,
    ]);
    transaction.touchSeries([id]);
  }
}

/** Begins or ends the join of a series into another one. */
async function copyJoin(
  transaction: Transaction,
  store: ObservationStore,
  id: number,
  { joined_into: join, action, kind }: SeriesItem,
): Promise<void> {
  const { revision } = transaction;
  const ended = await transaction.rows<{ into_id: number }>(
    'SELECT into_id FROM series_join WHERE from_id = ? AND until IS NULL',
    [id],
  );
  await transaction.execute('UPDATE series_join SET until = ? WHERE from_id = ? AND until IS NULL', [
    revision,
    id,
  ]);
  if (join) {
    // One that a revert makes again has the change set of the former one, and thereby its place.
    const [former] =
      kind === 'revert'
        ? await transaction.rows<{ change_set_id: number }>(
            'SELECT change_set_id FROM series_join WHERE from_id = ? AND into_id = ? ORDER BY id DESC LIMIT 1',
            [id, join.id],
          )
        : [];
    await transaction.execute(
      'INSERT INTO series_join (from_id, into_id, factor, prefer, start_day, end_day, change_set_id, since)' +
        ' VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      [
        id,
        join.id,
        join.factor,
        join.prefer,
        join.start_date === null ? null : dayFromIso(join.start_date),
        join.end_date === null ? null : dayFromIso(join.end_date),
        former?.change_set_id ?? (await transaction.changeSetId()),
        revision,
      ],
    );
  }
  transaction.touchSeries([id], { action: action === 'removed' ? 'removed' : 'changed' });
  await store.recompute(transaction, [
    id,
    ...ended.map(({ into_id }) => into_id),
    ...(join ? [join.id] : []),
  ]);
}
