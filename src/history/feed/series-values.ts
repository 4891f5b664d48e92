import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { SnapshotReader } from '../../database/reads.js';
import { PERIOD_NAMES, type PeriodName, periodNames, PERIODS } from '../../price-series/periodicity.js';
import { SERIES_STATUSES, type SeriesStatus } from '../../price-series/series-status.js';
import { seriesVersions } from '../../price-series/series-attributes.js';
import { lastCountriesOf } from '../../reference/market/market-countries.js';
import { sinceOf, type SeriesChangeRow } from './stored-change.js';
import { ArrayOf, Optional } from '../../platform/validation/field.js';
import { CurrencyCode, Id, OneOf } from '../../platform/validation/fields.js';

/** What a series is besides its points and periodicity, as ids of records. */
export class SeriesAttributes {
  @Id() id!: number;
  @Id() commodity_id!: number;
  @Id() price_type_id!: number;
  @Id() market_id!: number;
  @Id() source_id!: number;
  @Id() measure_unit_id!: number;
  @CurrencyCode() currency!: string;
  /** The frequencies that the source itself derives from finer data. */
  @ArrayOf(OneOf(periodNames)) marked_periods!: PeriodName[];
  /** Absent for observed prices. */
  @Optional(OneOf(SERIES_STATUSES)) status?: SeriesStatus;
}

/** Changes whose series are read by one statement. */
const CHANGES_PER_STATEMENT = 500;
/** In the order of `Row`. */
const COLUMNS =
  'id, since, commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency, marked_periods, status';

/** The place of `observed` in `SERIES_STATUSES`. */
const OBSERVED = 0;

type Row = [
  id: number,
  since: number,
  commodityId: number,
  priceTypeId: number,
  marketId: number,
  sourceId: number,
  measureUnitId: number,
  currency: string,
  markedPeriods: number,
  status: number,
];

/**
 * The attributes of series, by the changes that gave them. A change of nothing but points gave
 * none, and is not in the map.
 */
export async function readAttributes(
  query: SnapshotReader,
  changes: readonly SeriesChangeRow[],
): Promise<Map<SeriesChangeRow, SeriesAttributes>> {
  const found = new Map<SeriesChangeRow, SeriesAttributes>();
  const slice = new TimeSlice();
  for (const batch of batchesOf(changes, CHANGES_PER_STATEMENT)) {
    const ids = [...new Set(batch.map(({ id }) => id))];
    const where = `WHERE id IN (${placeholders(ids.length)})`;
    const rows = await query<Row>(seriesVersions.selectStates(COLUMNS, where), [...ids, ...ids]);
    const byVersion = new Map(rows.map((row) => [versionKey(row[0], row[1]), row]));
    for (const change of batch) {
      const row = byVersion.get(versionKey(change.id, sinceOf(change.revision)));
      if (row !== undefined) found.set(change, attributesOf(row));
    }
    await slice.yield();
  }
  return found;
}

const versionKey = (id: number, since: number) => `${id} ${since}`;

function attributesOf(row: Row): SeriesAttributes {
  const [
    id,
    ,
    commodity_id,
    price_type_id,
    market_id,
    source_id,
    measure_unit_id,
    currency,
    periodBits,
    status,
  ] = row;
  const ids = { id, commodity_id, price_type_id, market_id, source_id, measure_unit_id };
  const markedPeriods = PERIODS.filter((period) => (periodBits & (1 << period)) !== 0);
  return {
    ...ids,
    currency,
    marked_periods: markedPeriods.map((period) => PERIOD_NAMES[period]),
    ...(status === OBSERVED ? {} : { status: SERIES_STATUSES[status]! }),
  };
}

/** The country code of each market, by id; of a removed market, the last one that it had. */
export const readCountries = (
  query: SnapshotReader,
  changes: readonly SeriesChangeRow[],
): Promise<Map<number, string>> =>
  lastCountriesOf({ arrays: query }, [...new Set(changes.map(({ marketId }) => marketId))]);
