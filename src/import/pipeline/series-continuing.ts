import { batchesOf } from '../../lib/collections/batches.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { IS_LISTED, seriesWith } from '../../price-series/series-views.js';
import { SERIES_STATUSES } from '../../price-series/series-status.js';
import { addSeriesAliases } from '../../price-series/series-aliases.js';
import type { SeriesDescriptor } from '../formats/series.js';
import type { SeriesRecords } from './series-records.js';
import type { StoredSeries } from '../../price-series/stored-series.js';
import { ROWS_PER_STATEMENT, inCondition } from './statements.js';

interface SeriesRow {
  id: number;
  commodity_id: number;
  price_type_id: number;
  market_id: number;
  source_id: number;
  measure_unit_id: number;
  currency: string;
  marked_periods: number;
  status: number;
}

/** A series of an input whose uuid is unknown. */
interface UnknownSeries {
  readonly uuid: string;
  readonly descriptor: SeriesDescriptor;
}

/**
 * Finds the series that an input continues under other uuids: where its texts lead, by alias or
 * after a change of a record's key, to the records, the currency and the status of exactly one
 * series. The uuids become aliases.
 * @returns the continued series by the new uuid
 */
export async function continueSeries(
  transaction: Transaction,
  unknown: readonly UnknownSeries[],
  records: SeriesRecords,
): Promise<Map<string, StoredSeries>> {
  const continued = new Map<string, StoredSeries>();
  const wanted = new Map<string, string>();
  const markets = new Set<number>();
  for (const { uuid, descriptor } of unknown) {
    const found = records.allOf(descriptor);
    if (found === null || !found.some(({ hasAlias }) => hasAlias)) continue;
    const status = SERIES_STATUSES.indexOf(descriptor.status);
    wanted.set(uuid, [...found.map(({ record }) => record.id), descriptor.currency, status].join(' '));
    markets.add(found[MARKET]!.record.id);
  }
  const stored = await seriesOfMarkets(transaction, [...markets]);
  for (const [uuid, key] of wanted) {
    const [one, ...others] = stored.get(key) ?? [];
    if (one === undefined || others.length > 0) continue;
    continued.set(uuid, { id: one.id, markedPeriods: one.marked_periods, status: one.status });
  }
  await addSeriesAliases(
    transaction,
    [...continued].map(([uuid, { id }]) => ({ uuid, serieId: id })),
  );
  return continued;
}

/** Index of the market in the records of a series. */
const MARKET = 2;

/** The series of some markets, by the ids of their records, their currency and status. */
async function seriesOfMarkets(
  transaction: Transaction,
  markets: readonly number[],
): Promise<Map<string, SeriesRow[]>> {
  const found = new Map<string, SeriesRow[]>();
  for (const batch of batchesOf(markets, ROWS_PER_STATEMENT)) {
    const rows = await transaction.rows<SeriesRow>(
      'SELECT id, commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency, marked_periods, status' +
        ` FROM ${seriesWith()} WHERE ${inCondition(transaction, ['market_id'], batch.length)} AND ${IS_LISTED}`,
      batch,
    );
    for (const row of rows) {
      const { commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency, status } = row;
      const key = [commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency, status].join(
        ' ',
      );
      found.set(key, [...(found.get(key) ?? []), row]);
    }
  }
  return found;
}
