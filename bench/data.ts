import { createHash } from 'node:crypto';
import type { SqlValue } from '../src/database/database.js';
import type { Transaction, UnitOfWork } from '../src/ledger/unit-of-work.js';
import { dayOf } from '../src/lib/dates/calendar-date.js';
import {
  DAILY,
  MONTHLY,
  PERIOD_NAMES,
  StoredExtents,
  WEEKLY,
  type Period,
} from '../src/price-series/periodicity.js';

/** The size of a data set. */
export interface DataSize {
  name: string;
  series: number;
  points: number;
}

/** A size like FPMA's, and one far larger, which clients should not notice. */
export const SIZES = {
  S: { name: 'S', series: 3_000, points: 1_000_000 },
  L: { name: 'L', series: 100_000, points: 10_000_000 },
  /** By hand only: some 3 GB. */
  XL: { name: 'XL', series: 100_000, points: 100_000_000 },
} as const satisfies Record<string, DataSize>;

/**
 * A country with few series at any size: the time of its first page must not depend on the others.
 */
export const SMALL_COUNTRY = 'QAA';
const SMALL_COUNTRY_SERIES = 400;

/** The change set of all data of a benchmark. */
export const BENCH_CHANGE = { kind: 'sample', reason: 'Benchmark' } as const;

export const COUNTRIES = 60;
export const COMMODITIES = 300;
const SOURCES = 20;
const MARKETS_PER_COUNTRY = 40;
const CATEGORIES = [
  'cereals and tubers',
  'pulses and nuts',
  'oil and fats',
  'milk and dairy',
  'vegetables and fruits',
];
const MARKET_TYPES = ['Urban', 'Rural', 'Border', 'National average', ''];
/** RETAIL, WHOLESALE and EXPORT, by their ids, which are the same on every server. */
const PRICE_TYPES = [12, 12, 12, 13, 13, 11];
const HS_CODES = [
  '1006',
  '100630',
  '100590',
  '1101',
  '071333',
  '151110',
  '040120',
  '170199',
  '070200',
  '0201',
];
const LAST_MONTH = { year: 2026, month: 10 };
const ROWS_PER_STATEMENT = 1000;

/** A small seeded generator (mulberry32): the same data on every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The uuid of the n-th series. */
export function uuidOf(serie: number): string {
  const hex = createHash('sha1').update(`bench ${serie}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const letters = (number: number) => String.fromCharCode(65 + Math.floor(number / 26), 65 + (number % 26));

/** The country code of a number: a user-assigned code, from the middle of the alphabet. */
export const countryOf = (number: number) => (number === 0 ? SMALL_COUNTRY : `X${letters(number)}`);
/** No currency but QAR has such a code; rates of others may be outside of their lives, as XCG's. */
const currencyOf = (country: number) => `Q${letters(country)}`;

/** Fills the reference tables of an empty, migrated database. */
export async function insertRecords(unitOfWork: UnitOfWork): Promise<void> {
  await unitOfWork.change(BENCH_CHANGE, async (transaction) => {
    await insertReferences(transaction);
    await insertRates(transaction);
    transaction.markModified('references', 'rates');
  });
}

/** Fills an empty, migrated database. The same size always results in the same rows. */
export async function insertData(unitOfWork: UnitOfWork, size: DataSize): Promise<void> {
  await insertRecords(unitOfWork);
  const seriesPerTransaction = Math.max(1, Math.floor(200_000 / (size.points / size.series)));
  for (let from = 0; from < size.series; from += seriesPerTransaction) {
    const to = Math.min(size.series, from + seriesPerTransaction);
    await unitOfWork.change(BENCH_CHANGE, (transaction) => insertSeries(transaction, size, from, to));
  }
}

const UNITS: readonly (readonly [name: string, dimension: string, factor: number | null])[] = [
  ['Kg', 'mass', 1],
  ['100 kg', 'mass', 0.01],
  ['Liter', 'volume', 1],
  ['Dozen', 'count', null],
];
const PRICE_TYPE_NAMES: Readonly<Record<number, string>> = { 11: 'EXPORT', 12: 'RETAIL', 13: 'WHOLESALE' };

const commodityName = (id: number) => `Commodity ${id}${id % 7 === 0 ? ' (white, long grain)' : ''}`;

const marketNames = (market: number) => ({
  name: `Market ${market}`,
  region: `Region ${market % 8}`,
  district: market % 3 === 0 ? '' : `District ${market}`,
});

/** The columns of a series in the service's own CSV, from the country's code to the periodicity. */
export function csvNames({ country, market, ...serie }: BenchSerie): string[] {
  const { name, region, district } = marketNames(market);
  return [
    countryOf(country),
    `Country ${country}`,
    region,
    district,
    name,
    `"${commodityName(serie.commodity)}"`,
    PRICE_TYPE_NAMES[serie.priceType]!,
    `Source ${serie.source}`,
    serie.currency,
    UNITS[serie.unit - 1]![0],
    PERIOD_NAMES[serie.period],
  ];
}

async function insertReferences(transaction: Transaction): Promise<void> {
  const insert = inserter(transaction);
  for (let id = 1; id <= COMMODITIES; id++) {
    await insert('commodity (id, name, hs_code, category)', [
      id,
      commodityName(id),
      id % 9 === 0 ? null : HS_CODES[id % HS_CODES.length]!,
      CATEGORIES[id % CATEGORIES.length]!,
    ]);
  }
  for (let id = 1; id <= SOURCES; id++) await insert('source (id, name)', [id, `Source ${id}`]);
  for (const [index, unit] of UNITS.entries()) {
    await insert('measure_unit (id, name, dimension, conversion_factor)', [index + 1, ...unit]);
  }
  for (let country = 0; country < COUNTRIES; country++) {
    for (let market = 0; market < MARKETS_PER_COUNTRY; market++) {
      const type = MARKET_TYPES[market % MARKET_TYPES.length]!;
      const { name, region, district } = marketNames(market);
      await insert(
        'market (id, name, type, iso3_country_code, country_name, admin_unit, admin_unit2, latitude, longitude, regional_average)',
        [
          country * MARKETS_PER_COUNTRY + market + 1,
          name,
          type,
          countryOf(country),
          `Country ${country}`,
          region,
          district,
          type === 'National average' ? null : 10 + market / 8,
          type === 'National average' ? null : 20 + country / 8,
          type === 'National average' ? 1 : 0,
        ],
      );
    }
  }
  await insert.flush();
}

async function insertRates(transaction: Transaction): Promise<void> {
  const insert = inserter(transaction);
  const next = seeded(7);
  for (let country = 0; country < COUNTRIES; country++) {
    for (let back = 0; back < 360; back++) {
      const date = monthBack(back);
      const text = `${date.year}-${String(date.month).padStart(2, '0')}-01`;
      await insert('fx_rate (currency, date, period, rate, rate_type)', [
        currencyOf(country),
        text,
        'monthly',
        round(1 + 100 * next()),
        'official',
      ]);
      await insert('cpi (iso3_country_code, date, item, value, base_period)', [
        countryOf(country),
        text,
        'general',
        round(50 + 100 * next()),
        '2015',
      ]);
    }
  }
  await insert.flush();
}

/** A series of the data: the numbers of its records, its country and its points. */
export interface BenchSerie {
  country: number;
  /** Number of the market within its country, from 0. */
  market: number;
  priceType: number;
  commodity: number;
  source: number;
  unit: number;
  currency: string;
  period: Period;
  /** Days and prices, oldest first; can be read once. */
  points(): Generator<[day: number, value: number]>;
}

/** The n-th series of a size, from 0: the same on every run. */
export function benchSerie(number: number, size: DataSize): BenchSerie {
  const next = seeded(number + 1);
  const country = number < SMALL_COUNTRY_SERIES ? 0 : 1 + Math.floor(next() * (COUNTRIES - 1));
  const market = Math.floor(next() * MARKETS_PER_COUNTRY);
  const priceType = PRICE_TYPES[Math.floor(next() * PRICE_TYPES.length)]!;
  const commodity = 1 + Math.floor(next() * COMMODITIES);
  const source = 1 + Math.floor(next() * SOURCES);
  const unit = 1 + Math.floor(next() * 4);
  const currency = priceType === 11 ? 'USD' : currencyOf(country);
  const kind = next();
  const period: Period = kind < 0.7 ? MONTHLY : kind < 0.9 ? WEEKLY : DAILY;
  const days = daysOf(period, Math.round(size.points / size.series), Math.floor(next() * 24));
  function* points(): Generator<[number, number]> {
    let price = 10 ** (1 + 3 * next());
    for (const day of days) {
      price *= 0.97 + 0.06 * next();
      yield [day, round(price)];
    }
  }
  return { country, market, priceType, commodity, source, unit, currency, period, points };
}

async function insertSeries(
  transaction: Transaction,
  size: DataSize,
  from: number,
  to: number,
): Promise<void> {
  const insert = inserter(transaction);
  const ids: number[] = [];
  for (let number = from; number < to; number++) {
    const serie = benchSerie(number, size);
    const id = number + 1;
    ids.push(id);
    await insert(
      'price_serie (id, uuid, commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency, since)',
      [
        id,
        uuidOf(number),
        serie.commodity,
        serie.priceType,
        serie.country * MARKETS_PER_COUNTRY + serie.market + 1,
        serie.source,
        serie.unit,
        serie.currency,
        transaction.revision,
      ],
    );
    const extents = new StoredExtents();
    for (const [day, value] of serie.points()) {
      extents.add(serie.period, day, false);
      await insert('observation (serie_id, period, day, value, since)', [
        id,
        serie.period,
        day,
        value,
        transaction.revision,
      ]);
    }
    for (const item of extents.items()) {
      await insert('series_period (serie_id, period, start_day, end_day, calculated, points, since)', [
        id,
        item.period,
        item.start,
        item.end,
        item.calculated ? 1 : 0,
        item.points,
        transaction.revision,
      ]);
    }
  }
  await insert.flush();
  transaction.markSeriesModified(ids, { action: 'created' });
}

/** `count` days of a frequency, oldest first, ending some months before the last month. */
function daysOf(period: Period, count: number, monthsBefore: number): number[] {
  const last = monthBack(monthsBefore);
  const end = dayOf(last.year, last.month, 1);
  const days: number[] = [];
  for (let back = count - 1; back >= 0; back--) {
    if (period === DAILY) days.push(end - back);
    else if (period === WEEKLY) days.push(end - ((end + 2) % 7) - 7 * back);
    else {
      const { year, month } = monthBack(monthsBefore + back);
      days.push(dayOf(year, month, 1));
    }
  }
  return days;
}

function monthBack(back: number): { year: number; month: number } {
  const months = LAST_MONTH.year * 12 + LAST_MONTH.month - 1 - back;
  return { year: Math.floor(months / 12), month: (months % 12) + 1 };
}

const round = (value: number) => Math.round(value * 100) / 100;

/** Collects rows by table and inserts many at a time, parents before children. */
function inserter(transaction: Transaction) {
  const pending = new Map<string, SqlValue[][]>();
  const write = async (into: string, rows: SqlValue[][]) => {
    if (rows.length === 0) return;
    const placeholders = `(${rows[0]!.map(() => '?').join(',')})`;
    await transaction.execute(
      `INSERT INTO ${into} VALUES ${rows.map(() => placeholders).join(',')}`,
      rows.flat(),
    );
    rows.length = 0;
  };
  const flush = async () => {
    for (const [into, rows] of pending) await write(into, rows);
  };
  const insert = async (into: string, row: SqlValue[]) => {
    let rows = pending.get(into);
    if (rows === undefined) pending.set(into, (rows = []));
    rows.push(row);
    // Series come first in the map, so that they are always inserted before their children.
    if (rows.length >= ROWS_PER_STATEMENT) await flush();
  };
  return Object.assign(insert, { flush });
}
