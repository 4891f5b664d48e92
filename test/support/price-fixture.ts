import { dayFromIso } from '../../src/lib/dates/calendar-date.js';
import type { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { PERIODS, PERIOD_NAMES, type PeriodName } from '../../src/price-series/periodicity.js';
import { SERIES_STATUSES, type SeriesStatus } from '../../src/price-series/series-status.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import type { NewPoint } from '../../src/prices/store/point-merging.js';
import { Cpi } from '../../src/reference/cpi/cpi.entity.js';
import { FxRate } from '../../src/reference/fx-rate/fx-rate.entity.js';
import { Factory } from './factories.js';
import { testChange } from './change-set.js';

/** A point in short notation: date, price and optionally the comment and the calculated mark. */
export type PointLine = readonly [date: string, value: number, comment?: string | null, marked?: boolean];

/** Points by frequency. */
export type PointLines = Partial<Record<PeriodName, readonly PointLine[]>>;

type RecordFields<T extends 'commodity' | 'market' | 'source' | 'measureUnit'> = Parameters<Factory[T]>[0];

/**
 * A series with defaults for what is left out. Series with the same record fields share the record.
 */
export interface SeriesSpec {
  uuid: string;
  commodity?: RecordFields<'commodity'>;
  market?: RecordFields<'market'>;
  source?: RecordFields<'source'>;
  unit?: RecordFields<'measureUnit'>;
  /** EXPORT 11, RETAIL 12, WHOLESALE 13, IMPORT 17 */
  priceType?: number;
  currency?: string;
  status?: SeriesStatus;
  points?: PointLines;
}

const RETAIL = 12;
/** Ids of the records created so far, by kind and fields. */
const recordsOf = new WeakMap<UnitOfWork, Map<string, number>>();
const store = new ObservationStore();

/** Stores series with their points, and returns their ids by uuid. */
export function storeSeries(
  unitOfWork: UnitOfWork,
  specs: readonly SeriesSpec[],
): Promise<Map<string, number>> {
  const records = recordsOf.get(unitOfWork) ?? new Map<string, number>();
  recordsOf.set(unitOfWork, records);
  return unitOfWork.change(testChange, async (transaction) => {
    const factory = new Factory(transaction);
    const shared = async <F>(kind: string, fields: F, create: (fields: F) => Promise<number>) => {
      const key = kind + JSON.stringify(fields);
      if (!records.has(key)) records.set(key, await create(fields));
      return records.get(key)!;
    };
    const ids = new Map<string, number>();
    for (const {
      uuid,
      priceType = RETAIL,
      currency = 'KES',
      status = 'observed',
      points = {},
      ...spec
    } of specs) {
      const id = await factory.series({
        uuid,
        currency,
        status: SERIES_STATUSES.indexOf(status),
        price_type_id: priceType,
        commodity_id: await shared(
          'commodity',
          { name: 'Rice', hs_code: '100630', ...spec.commodity },
          (fields) => factory.commodity(fields),
        ),
        market_id: await shared(
          'market',
          { name: 'Nairobi', iso3_country_code: 'KEN', country_name: 'Kenya', ...spec.market },
          (fields) => factory.market(fields),
        ),
        source_id: await shared('source', { name: 'Ministry', ...spec.source }, (fields) =>
          factory.source(fields),
        ),
        measure_unit_id: await shared(
          'unit',
          { name: 'Kg', dimension: 'mass' as const, conversion_factor: 1, ...spec.unit },
          (fields) => factory.measureUnit(fields),
        ),
      });
      ids.set(uuid, id);
      await store.write(transaction, pointsOf(id, points));
    }
    transaction.markSeriesModified(ids.values());
    return ids;
  });
}

/** Points of one series as the store accepts them. */
export function pointsOf(serieId: number, points: PointLines): NewPoint[] {
  return PERIODS.flatMap((period) =>
    (points[PERIOD_NAMES[period]] ?? []).map(([date, value, comment = null, marked = false]) => ({
      serieId,
      period,
      day: dayFromIso(date)!,
      value,
      calculated: marked,
      comment,
    })),
  );
}

/** Stores more points of a series. */
export async function storePoints(
  unitOfWork: UnitOfWork,
  serieId: number,
  points: PointLines,
): Promise<void> {
  await unitOfWork.change(testChange, (transaction) => store.write(transaction, pointsOf(serieId, points)));
}

/** Stores official rates, monthly by default. */
export async function storeRates(
  unitOfWork: UnitOfWork,
  rates: readonly (readonly [currency: string, date: string, rate: number, period?: 'daily' | 'monthly'])[],
): Promise<void> {
  await unitOfWork.change(testChange, async (transaction) => {
    for (const [currency, date, rate, period = 'monthly'] of rates) {
      await transaction.manager.insert(FxRate, {
        currency,
        date,
        rate,
        period,
        rate_type: 'official',
        since: transaction.revision,
      });
    }
    transaction.markModified('rates');
  });
}

/** Stores general price indices. */
export async function storeIndices(
  unitOfWork: UnitOfWork,
  indices: readonly (readonly [iso3: string, date: string, value: number, basePeriod?: string])[],
): Promise<void> {
  await unitOfWork.change(testChange, async (transaction) => {
    for (const [iso3_country_code, date, value, base_period = '2015'] of indices) {
      await transaction.manager.insert(Cpi, {
        iso3_country_code,
        date,
        value,
        base_period,
        item: 'general',
        since: transaction.revision,
      });
    }
    transaction.markModified('rates');
  });
}
