import { dayFromIso } from '../../src/common/dates/calendar-date.js';
import type { UnitOfWork } from '../../src/database/unit-of-work.js';
import { PERIODS, PERIOD_NAMES, type PeriodName } from '../../src/price-series/periodicity.js';
import { ObservationStore } from '../../src/prices/observation-store.js';
import type { NewPoint } from '../../src/prices/point-merging.js';
import { Cpi } from '../../src/reference/cpi/cpi.entity.js';
import { FxRate } from '../../src/reference/fx-rate/fx-rate.entity.js';
import { Factory } from './factories.js';

/** A point as tests write it: date, price and, where they matter, comment and the mark of a calculated one. */
export type PointLine = readonly [date: string, value: number, comment?: string | null, marked?: boolean];

/** Points by frequency. */
export type PointLines = Partial<Record<PeriodName, readonly PointLine[]>>;

type RecordFields<T extends 'commodity' | 'market' | 'source' | 'measureUnit'> = Parameters<Factory[T]>[0];

/** A series as tests write it; what is left out is the most ordinary. The same fields are the same record. */
export interface SeriesSpec {
  uuid: string;
  commodity?: RecordFields<'commodity'>;
  market?: RecordFields<'market'>;
  source?: RecordFields<'source'>;
  unit?: RecordFields<'measureUnit'>;
  /** EXPORT 11, RETAIL 12, WHOLESALE 13, IMPORT 17 */
  priceType?: number;
  currency?: string;
  points?: PointLines;
}

const RETAIL = 12;
/** Ids of the records made so far, by kind and fields. */
const recordsOf = new WeakMap<UnitOfWork, Map<string, number>>();
const store = new ObservationStore();

/** Stores series with their points, and returns their ids by uuid. */
export function storeSeries(
  unitOfWork: UnitOfWork,
  specs: readonly SeriesSpec[],
): Promise<Map<string, number>> {
  const records = recordsOf.get(unitOfWork) ?? new Map<string, number>();
  recordsOf.set(unitOfWork, records);
  return unitOfWork.run(async (tx) => {
    const factory = new Factory(tx);
    const shared = async <F>(kind: string, fields: F, make: (fields: F) => Promise<number>) => {
      const key = kind + JSON.stringify(fields);
      if (!records.has(key)) records.set(key, await make(fields));
      return records.get(key)!;
    };
    const ids = new Map<string, number>();
    for (const { uuid, priceType = RETAIL, currency = 'KES', points = {}, ...spec } of specs) {
      const id = await factory.series({
        uuid,
        currency,
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
      await store.write(tx, pointsOf(id, points));
    }
    tx.touchSeries(ids.values());
    return ids;
  });
}

/** Points of one series in the form that the store takes. */
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
  await unitOfWork.run((tx) => store.write(tx, pointsOf(serieId, points)));
}

/** Stores official rates, monthly unless it is said. */
export async function storeRates(
  unitOfWork: UnitOfWork,
  rates: readonly (readonly [currency: string, date: string, rate: number, period?: 'daily' | 'monthly'])[],
): Promise<void> {
  await unitOfWork.run(async (tx) => {
    for (const [currency, date, rate, period = 'monthly'] of rates) {
      await tx.manager.insert(FxRate, { currency, date, rate, period, rate_type: 'official' });
    }
    tx.touch('rates');
  });
}

/** Stores general price indices. */
export async function storeIndices(
  unitOfWork: UnitOfWork,
  indices: readonly (readonly [iso3: string, date: string, value: number, basePeriod?: string])[],
): Promise<void> {
  await unitOfWork.run(async (tx) => {
    for (const [iso3_country_code, date, value, base_period = '2015'] of indices) {
      await tx.manager.insert(Cpi, { iso3_country_code, date, value, base_period, item: 'general' });
    }
    tx.touch('rates');
  });
}
