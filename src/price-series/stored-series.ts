import { placeholders } from '../database/sql.js';
import type { Transaction } from '../ledger/unit-of-work.js';
import { insertNewAndFormer } from '../ledger/versions/inserted-rows.js';
import { batchesOf } from '../lib/collections/batches.js';
import { SERIES_ATTRIBUTES } from './series-attributes.js';
import { SERIES_STATUSES, type SeriesStatus } from './series-status.js';
import { formerSeriesIds } from './series-versions.js';

/** Series of one statement. */
const SERIES_PER_STATEMENT = 1000;

/** A series as stored. */
export interface StoredSeries {
  readonly id: number;
  /** Bitmask of the periods whose points the source derives: `1 << period` for each. */
  readonly markedPeriods: number;
  /** Its place in `SERIES_STATUSES`. */
  readonly status: number;
}

interface StoredSeriesRow {
  id: number;
  uuid: string;
  marked_periods: number;
  status: number;
}

/** The columns with uuids, and the tables that they are read from. */
const UUID_COLUMNS = [
  ['s.uuid', 'price_serie s'],
  ['a.uuid', 'series_alias a JOIN price_serie s ON s.id = a.serie_id'],
] as const;

/** The series with these uuids, or with aliases of these uuids. */
export async function findStoredSeries(
  transaction: Transaction,
  series: readonly { readonly uuid: string }[],
): Promise<Map<string, StoredSeries>> {
  const found = new Map<string, StoredSeries>();
  for (const [uuid, from] of UUID_COLUMNS) {
    for (const batch of batchesOf(
      series.filter((one) => !found.has(one.uuid)),
      SERIES_PER_STATEMENT,
    )) {
      const rows = await transaction.rows<StoredSeriesRow>(
        `SELECT s.id, ${uuid} AS uuid, s.marked_periods, s.status FROM ${from} WHERE ${uuid} IN (${placeholders(batch.length)})`,
        batch.map((one) => one.uuid),
      );
      for (const { id, uuid, marked_periods: markedPeriods, status } of rows)
        found.set(uuid, { id, markedPeriods, status });
    }
  }
  return found;
}

/** A series that is not stored. */
interface NewSeries {
  readonly uuid: string;
  /** Of its commodity, price type, market, source and unit. */
  readonly recordIds: readonly number[];
  readonly currency: string;
  readonly markedPeriods: number;
  readonly status: SeriesStatus;
}

/** Creates series; those that were there before get their ids again. */
export async function createSeries(
  transaction: Transaction,
  series: readonly NewSeries[],
): Promise<Map<string, StoredSeries>> {
  if (series.length === 0) return new Map();
  const uuids = series.map(({ uuid }) => uuid);
  const former = await formerSeriesIds(transaction, uuids);
  await insertNewAndFormer(
    transaction,
    'price_serie',
    [...SERIES_ATTRIBUTES, 'since'],
    series.map(({ uuid, recordIds, currency, markedPeriods, status }) => ({
      id: former.get(uuid),
      values: [
        uuid,
        ...recordIds,
        currency,
        markedPeriods,
        SERIES_STATUSES.indexOf(status),
        transaction.revision,
      ],
    })),
  );
  const created = await findStoredSeries(transaction, series);
  const ids = [...created.values()].map(({ id }) => id);
  transaction.markSeriesModified(ids, { action: 'created' });
  return created;
}
