import fc from 'fast-check';
import { firstDayOfMonth, isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { type SeriesSpec, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { monthNumber } from '../support/test-series.js';

/*
 * Compares aggregates of random prices with those that plain loops calculate from the same prices,
 * by text dates and without columns.
 */

const FIRST = monthNumber(2019, 1);
const MONTHS = 40;
const SERIES = 60;
const COUNTRIES = ['KEN', 'UGA'] as const;
const COMMODITIES = ['Maize', 'Rice'] as const;
const CURRENCIES = ['KES', 'UGX'] as const;
const UNITS = [
  { name: 'Kg', dimension: 'mass', conversion_factor: 1 },
  { name: '50 KG', dimension: 'mass', conversion_factor: 0.02 },
  { name: 'L', dimension: 'volume', conversion_factor: 1 },
  { name: 'Heap', dimension: 'other', conversion_factor: null },
] as const;

interface PlainSeries {
  uuid: string;
  country: string;
  commodity: string;
  currency: string;
  unit: (typeof UNITS)[number];
  /** By date. */
  prices: Map<string, number>;
}

interface Shown {
  iso3_country_code: string;
  commodity: string;
  unit: string | null;
  observations: Record<string, unknown>[];
}

const dateOf = (month: number) => isoFromDay(firstDayOfMonth(month));
const uuidOf = (number: number) => `22222222-0000-4000-8000-${String(number).padStart(12, '0')}`;
const close = (value: number | null) =>
  value === null ? null : (expect.closeTo(value, 8 - Math.ceil(Math.log10(value + 1))) as number);

describe('aggregates of random prices', () => {
  let service: TestApp;
  let all: PlainSeries[];
  const rates = new Map<string, number>();

  beforeAll(async () => {
    const seed = Number(process.env.PROPERTY_SEED) || Math.trunc(Math.random() * 0x7fffffff);
    process.stdout.write(`aggregates of random prices: seed ${seed}\n`);
    const price = fc.integer({ min: 1, max: 100_000 }).map((value) => value / 100);
    const drawn = fc.record({
      country: fc.constantFrom(...COUNTRIES),
      commodity: fc.constantFrom(...COMMODITIES),
      currency: fc.constantFrom(...CURRENCIES),
      unit: fc.constantFrom(...UNITS),
      gap: fc.nat({ max: 20 }),
      prices: fc.array(fc.option(price, { freq: 2, nil: null }), { minLength: MONTHS, maxLength: MONTHS }),
    });
    all = fc.sample(drawn, { numRuns: SERIES, seed }).map(({ gap, prices, ...fields }, index) => ({
      ...fields,
      uuid: uuidOf(index),
      // Some series have no price for more than a year, so that chains break.
      prices: new Map(
        prices.flatMap((value, at) =>
          value === null || (at > 8 && at < 8 + gap) ? [] : [[dateOf(FIRST + at), value]],
        ),
      ),
    }));
    for (let at = 0; at < MONTHS; at++)
      for (const [index, currency] of CURRENCIES.entries())
        if ((at + index) % 7 !== 3) rates.set(`${currency} ${dateOf(FIRST + at)}`, 50 + at + 1000 * index);
    service = await startTestApp();
    await storeRates(
      service.unitOfWork,
      [...rates].map(([key, rate]) => [key.slice(0, 3), key.slice(4), rate] as const),
    );
    await storeSeries(
      service.unitOfWork,
      all.map(({ uuid, country, commodity, currency, unit, prices }): SeriesSpec => ({
        uuid,
        commodity: { name: commodity },
        market: { name: `Market of ${country}`, iso3_country_code: country, country_name: country },
        currency,
        unit,
        points: { monthly: [...prices] },
      })),
    );
  });
  afterAll(() => service?.close());

  /** Dollars per kilogram or litre, or why there are none. */
  const converted = ({ currency, unit, prices }: PlainSeries, date: string): number | string | null => {
    const price = prices.get(date);
    if (price === undefined) return null;
    if (unit.conversion_factor === null) return 'no_factor';
    const rate = rates.get(`${currency} ${date}`);
    return rate === undefined ? 'no_rate' : (price / rate) * unit.conversion_factor;
  };

  function plainGroup(group: readonly PlainSeries[], minMatched: number): Record<string, unknown>[] {
    const dates = Array.from({ length: MONTHS }, (_, at) => dateOf(FIRST + at));
    const levels = group.map((series) => dates.map((date) => converted(series, date)));
    const index: { value: number; segment: number }[] = [];
    const rows: Record<string, unknown>[] = [];
    let segments = 0;
    for (const [at, date] of dates.entries()) {
      const found = levels.map((each) => each[at]!).filter((level) => level !== null);
      const values = found.filter((level) => typeof level === 'number').sort((one, other) => one - other);
      const n = values.length;
      const left_out: Record<string, number> = {};
      for (const reason of ['no_factor', 'no_rate']) {
        const count = found.filter((level) => level === reason).length;
        if (count > 0) left_out[reason] = count;
      }
      let link: { from: number; matched: number; ratio: number } | null = null;
      for (let from = at - 1; from >= 0 && from >= at - 12 && link === null; from--) {
        if (index[from] === undefined || n < minMatched) continue;
        const ratios = levels.flatMap((each) => {
          const [level, earlier] = [each[at], each[from]];
          return typeof level === 'number' && typeof earlier === 'number' ? [level / earlier] : [];
        });
        if (ratios.length < minMatched) continue;
        const product = ratios.reduce((sum, ratio) => sum * ratio ** (1 / ratios.length), 1);
        link = { from, matched: ratios.length, ratio: product };
      }
      if (link !== null) {
        const { value, segment } = index[link.from]!;
        index[at] = { value: value * link.ratio, segment };
      } else if (n >= minMatched) index[at] = { value: 100, segment: ++segments };
      if (found.length === 0) continue;
      rows.unshift({
        date,
        median: n === 0 ? null : close((values[(n - 1) >> 1]! + values[n >> 1]!) / 2),
        mean: n === 0 ? null : close(values.reduce((sum, value) => sum + value, 0) / n),
        min: n === 0 ? null : close(values[0]!),
        max: n === 0 ? null : close(values.at(-1)!),
        n,
        index: close(index[at]?.value ?? null),
        linked_from: link === null ? null : dates[link.from],
        n_matched: link?.matched ?? null,
        segment: index[at]?.segment ?? null,
        left_out,
        reasons: expect.any(Object) as object,
      });
    }
    return rows;
  }

  it.each([1, 2, 3, 6])('are those of plain loops, with %i matched series', async (minMatched) => {
    const { body } = await service
      .http()
      .get(`/api/v1/PriceAggregate/?min_matched=${minMatched}`)
      .expect(200);
    const shown = (body as { results: Shown[] }).results;
    const expected = COUNTRIES.flatMap((country) =>
      COMMODITIES.flatMap((commodity) => {
        const family = all.filter(
          (series) => series.country === country && series.commodity === commodity && series.prices.size > 0,
        );
        const units = [
          ['kg', 'mass'],
          ['l', 'volume'],
        ] as const;
        const groups = units.flatMap(([unit, dimension]) =>
          family.some((series) => series.unit.dimension === dimension) ? [{ unit, dimension }] : [],
        );
        return groups.map(({ unit, dimension }) => ({
          country,
          commodity,
          unit,
          observations: plainGroup(
            family.filter(({ unit: own }) => own.dimension === dimension || own.dimension === 'other'),
            minMatched,
          ),
        }));
      }),
    );
    expect(
      shown.map(({ iso3_country_code, commodity, unit }) => [iso3_country_code, commodity, unit]),
    ).toEqual(expected.map(({ country, commodity, unit }) => [country, commodity, unit]));
    for (const [at, { observations }] of shown.entries())
      expect(observations).toEqual(expected[at]!.observations);
  });
});
