import type { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import {
  storeIndices,
  storeRates,
  storeSeries,
  type PointLine,
  type PointLines,
  type SeriesSpec,
} from './price-fixture.js';

/** The first and last month of the prices. */
const YEARS = { from: 2013, to: 2023 };

/** A generator of numbers from 0 to 1 (mulberry32), the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const uuidOf = (number: number) => `44444444-0000-4000-8000-${String(number).padStart(12, '0')}`;

const FIRST_DAY = 734_869;
/** From 2013-01-01 to 2023-12-31, with a step in days. */
function dates(step: number): string[] {
  const days = Math.floor(((YEARS.to - YEARS.from + 1) * 1461) / 4);
  return Array.from({ length: Math.floor(days / step) }, (_, index) => isoFromDay(FIRST_DAY + index * step));
}
/** Fridays: 2013-01-04 is the first one. */
const fridays = dates(7).map((_, index) => isoFromDay(FIRST_DAY + 3 + index * 7));
const months = Array.from({ length: (YEARS.to - YEARS.from + 1) * 12 }, (_, index) => {
  const [year, month] = [YEARS.from + Math.floor(index / 12), (index % 12) + 1];
  return `${year}-${String(month).padStart(2, '0')}-01`;
});

/**
 * Stores series of all kinds with eleven years of random prices, rates and indices: monthly, weekly
 * and daily ones, with gaps, of a currency with daily rates, one of a legal relation, one whose
 * code has a successor, and one without rates; with and without unit factors.
 * @returns the uuids of the series
 */
export async function storeRandomPrices(unitOfWork: UnitOfWork, random: () => number): Promise<string[]> {
  const walk = (of: readonly string[], start: number, gaps: number): PointLine[] => {
    let price = start;
    return of.flatMap((date): PointLine[] => {
      const season = 1 + 0.1 * Math.sin((Number(date.slice(5, 7)) / 12) * 2 * Math.PI);
      price *= 0.95 + 0.1025 * random();
      return random() < gaps ? [] : [[date, Math.round(price * season * 100) / 100]];
    });
  };
  await storeRates(unitOfWork, [
    ...months.flatMap((date) =>
      [3, 10, 17, 24].map(
        (day) =>
          ['KES', date.replace(/01$/, String(day).padStart(2, '0')), 90 + 20 * random(), 'daily'] as const,
      ),
    ),
    ...months.map((date) => ['ZAR', date, 10 + 8 * random()] as const),
    ...months.map((date) => ['SLE', date, 5 + 20 * random()] as const),
  ]);
  let index = 100;
  const indices = () => months.map((date) => [date, (index *= 0.99 + 0.025 * random())] as const);
  await storeIndices(unitOfWork, [
    ...indices().map(([date, value]) => ['KEN', date, value] as const),
    ...indices().map(([date, value]) => ['USA', date, value] as const),
    ...indices()
      .slice(24)
      .map(([date, value]) => ['NAM', date, value] as const),
  ]);
  const points: PointLines[] = [
    { monthly: walk(months, 50, 0) },
    { monthly: walk(months, 4000, 0.05) },
    { weekly: walk(fridays, 80, 0.1) },
    { daily: walk(dates(3), 100, 0.3) },
    { monthly: walk(months, 20, 0.02) },
    { monthly: walk(months, 9, 0) },
    { monthly: walk(months, 30, 0.01) },
  ];
  return storeSpecs(unitOfWork, points);
}

/** Stores the same series without prices. */
export const storeEmptySeries = (unitOfWork: UnitOfWork): Promise<string[]> => storeSpecs(unitOfWork, []);

const sack = { name: '90 kg', dimension: 'mass', conversion_factor: 1 / 90 } as const;
const SPECS: readonly Omit<SeriesSpec, 'uuid'>[] = [
  {},
  { unit: sack },
  { currency: 'USD' },
  { unit: sack },
  { currency: 'NAD', market: { iso3_country_code: 'NAM', name: 'Windhoek' } },
  { currency: 'SLL', unit: { name: 'Bundle', dimension: 'other', conversion_factor: null } },
  { currency: 'HTG' },
];

async function storeSpecs(unitOfWork: UnitOfWork, points: readonly PointLines[]): Promise<string[]> {
  const named = SPECS.map((spec, at): SeriesSpec => ({
    uuid: uuidOf(at),
    source: { name: `Source ${at}` },
    points: points[at] ?? {},
    ...spec,
  }));
  await storeSeries(unitOfWork, named);
  return named.map(({ uuid }) => uuid);
}
