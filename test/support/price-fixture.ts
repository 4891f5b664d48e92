import { dayFromIso } from '../../src/common/dates/calendar-date.js';
import type { UnitOfWork, Transaction } from '../../src/database/unit-of-work.js';
import { PERIODS, PERIOD_NAMES, type PeriodName } from '../../src/price-series/periodicity.js';
import { ObservationStore, type NewPoint } from '../../src/prices/observation-store.js';

/** A point as tests write it: date, price and, where they matter, comment and mark. */
export type PointLine = readonly [date: string, value: number, comment?: string | null, calculated?: boolean];

/** A series as tests write it; what is left out is the most ordinary. */
export interface SeriesSpec {
  uuid: string;
  iso3?: string;
  country?: string;
  commodity?: string;
  hs?: string | null;
  category?: string;
  /** RETAIL 12, WHOLESALE 13, EXPORT 11, IMPORT 17 */
  priceType?: number;
  market?: string;
  marketType?: string;
  marketCode?: string;
  marketInfo?: string;
  adminUnit?: string;
  adminUnit2?: string;
  latitude?: number | null;
  longitude?: number | null;
  regionalAverage?: boolean;
  source?: string;
  sourceUrl?: string;
  license?: string;
  unit?: string;
  dimension?: 'mass' | 'volume' | 'count' | 'other';
  factor?: number | null;
  currency?: string;
  points?: Partial<Record<PeriodName, readonly PointLine[]>>;
}

const store = new ObservationStore();

/** Stores series with their points, and returns their ids by uuid. Records of the same name are shared. */
export async function storeSeries(
  unitOfWork: UnitOfWork,
  specs: readonly SeriesSpec[],
): Promise<Map<string, number>> {
  return unitOfWork.run(async (tx) => {
    const ids = new Map<string, number>();
    for (const spec of specs) {
      const id = await storeOne(tx, spec);
      ids.set(spec.uuid, id);
      await store.write(tx, pointsOf(id, spec.points ?? {}));
    }
    tx.touchSeries(ids.values());
    tx.touch('references');
    return ids;
  });
}

/** Points of one series in the form that the store takes. */
export function pointsOf(serieId: number, points: NonNullable<SeriesSpec['points']>): NewPoint[] {
  return PERIODS.flatMap((period) =>
    (points[PERIOD_NAMES[period]] ?? []).map(([date, value, comment = null, calculated = false]) => ({
      serieId,
      period,
      day: dayFromIso(date)!,
      value,
      calculated,
      comment,
    })),
  );
}

/** Stores more points. */
export async function storePoints(
  unitOfWork: UnitOfWork,
  serieId: number,
  points: NonNullable<SeriesSpec['points']>,
): Promise<void> {
  await unitOfWork.run((tx) => store.write(tx, pointsOf(serieId, points)));
}

async function storeOne(tx: Transaction, spec: SeriesSpec): Promise<number> {
  const commodity = await recordId(
    tx,
    'commodity',
    { name: spec.commodity ?? 'Rice' },
    {
      hs_code: spec.hs === undefined ? '100630' : spec.hs,
      category: spec.category ?? '',
    },
  );
  const market = await recordId(
    tx,
    'market',
    {
      iso3_country_code: spec.iso3 ?? 'KEN',
      admin_unit: spec.adminUnit ?? '',
      admin_unit2: spec.adminUnit2 ?? '',
      name: spec.market ?? 'Nairobi',
    },
    {
      country_name: spec.country ?? 'Kenya',
      type: spec.marketType ?? '',
      code: spec.marketCode ?? '',
      info: spec.marketInfo ?? '',
      latitude: spec.latitude ?? null,
      longitude: spec.longitude ?? null,
      regional_average: spec.regionalAverage ?? false,
    },
  );
  const source = await recordId(
    tx,
    'source',
    { name: spec.source ?? 'Ministry' },
    {
      url: spec.sourceUrl ?? '',
      license: spec.license ?? '',
    },
  );
  const unit = await recordId(
    tx,
    'measure_unit',
    { name: spec.unit ?? 'Kg' },
    {
      dimension: spec.dimension ?? 'mass',
      conversion_factor: spec.factor === undefined ? 1 : spec.factor,
    },
  );
  const { insertId } = await tx.execute(
    'INSERT INTO price_serie (uuid, commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency) VALUES (?, ?, ?, ?, ?, ?, ?)',
    [spec.uuid, commodity, spec.priceType ?? 12, market, source, unit, spec.currency ?? 'KES'],
  );
  return insertId;
}

type Values = Record<string, string | number | boolean | null>;

async function recordId(tx: Transaction, table: string, key: Values, rest: Values): Promise<number> {
  const where = Object.keys(key)
    .map((column) => `${column} = ?`)
    .join(' AND ');
  const [known] = await tx.rows<{ id: number }>(`SELECT id FROM ${table} WHERE ${where}`, Object.values(key));
  if (known) return known.id;
  const values = { ...key, ...rest };
  const columns = Object.keys(values);
  const { insertId } = await tx.execute(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    Object.values(values),
  );
  return insertId;
}

/** Stores official monthly rates, by currency and date. */
export async function storeRates(
  unitOfWork: UnitOfWork,
  rates: readonly (readonly [currency: string, date: string, rate: number, period?: 'daily' | 'monthly'])[],
): Promise<void> {
  await unitOfWork.run(async (tx) => {
    for (const [currency, date, rate, period = 'monthly'] of rates) {
      await tx.execute(
        "INSERT INTO fx_rate (currency, date, rate, period, rate_type) VALUES (?, ?, ?, ?, 'official')",
        [currency, date, rate, period],
      );
    }
    tx.touch('rates');
  });
}

/** Stores general price indices, by country and date. */
export async function storeIndices(
  unitOfWork: UnitOfWork,
  indices: readonly (readonly [iso3: string, date: string, value: number, basePeriod?: string])[],
): Promise<void> {
  await unitOfWork.run(async (tx) => {
    for (const [iso3, date, value, basePeriod = '2015'] of indices) {
      await tx.execute(
        "INSERT INTO cpi (iso3_country_code, date, item, value, base_period) VALUES (?, ?, 'general', ?, ?)",
        [iso3, date, value, basePeriod],
      );
    }
    tx.touch('rates');
  });
}
