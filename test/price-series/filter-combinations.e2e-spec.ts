import fc from 'fast-check';
import type { ServedPeriodicityItem } from '../../src/price-series/price-serie.view.js';
import { createRecords, priceTypes } from '../support/factories.js';
import { absoluteDate, matchesPlainly, plainFilters, type FilterValues } from '../support/plain-filters.js';
import { type PlainEntry, plainEntries } from '../support/plain-series.js';
import { assertProperty } from '../support/property.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/*
 * Random series under random combinations of filters, compared with a plain scan:
 * `plain-filters.ts` implements every filter a second time, over the entries as the API returns
 * them.
 */

const SERIES = 400;
const COUNTRIES = ['AFG', 'KEN', 'MLI', 'NIC', 'YEM'];
/** Of the countries, in their order. */
const NAMES = ['Afghanistan', 'Kenya', 'République de Marché', 'Nicaragua', 'Kenya'];
const TYPES = ['', 'Urban', 'urban ', 'RURAL', 'Marché', 'Marche', 'Provincial average'];
const UNITS = ['', 'Gao', 'GAO', 'Foo, Bar', 'Île "Nord"', 'Île "nord"', '50%', 'a_b'];
const CATEGORIES = ['', 'Cereals', 'CEREALS ', 'légumes', 'legumes', 'oil, fat'];
const HS_CODES = [null, '10', '1006', '100610', '100630', '10063010', '1001', '1101', '020714', '02'];
const WORDS = [
  'Rice',
  'RIZ',
  'maïs',
  'Mai\u0308s',
  'white',
  'Marché',
  'Kabul',
  'flour',
  'beans',
  'red',
  '100%',
];
const CURRENCIES = ['USD', 'KES', 'AFN', 'XOF'];
const PERIODS = ['daily', 'weekly', 'monthly'] as const;
const FIRST = Date.UTC(2018, 0, 1);
const DAYS = 1000;

const dateOf = (day: number) => new Date(FIRST + day * 86_400_000).toISOString().slice(0, 10);

const upTo = <T>(values: readonly T[], most: number) =>
  fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: most });
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const texts = (values: readonly string[]) =>
  upTo(['nowhere', ...values], 3).map((items) => items.map(quoted).join(','));
const ids = (values: readonly number[]) =>
  upTo([...values, 2_000_000_000], 4).map((items) => items.join(','));
const date = fc.nat(DAYS + 400).map((day) => dateOf(day - 100));

const generateRows = fc.sample<number>;

describe('combinations of filters', () => {
  let app: TestApp;
  let entries: PlainEntry[];

  beforeAll(async () => {
    app = await startTestApp();
    const seed = Number(process.env.PROPERTY_SEED) || Math.trunc(Math.random() * 0x7fffffff);
    process.stdout.write(`series of "combinations of filters": seed ${seed}\n`);
    const numbers = generateRows(fc.nat(1_000_000), { seed, numRuns: 40_000 });
    let next = 0;
    const pick = <T>(values: readonly T[]): T => values[numbers[next++]! % values.length]!;
    const below = (limit: number) => numbers[next++]! % limit;
    await createRecords(app.unitOfWork, async (factory) => {
      const commodities: number[] = [];
      for (let number = 0; number < 25; number++) {
        const name = `${pick(WORDS)} ${pick(WORDS)} ${number}`;
        const attributes = { hs_code: pick(HS_CODES), category: pick(CATEGORIES) };
        commodities.push(await factory.commodity({ name, ...attributes }));
      }
      const markets: number[] = [];
      for (let number = 0; number < 60; number++) {
        markets.push(
          await factory.market({
            name: `${pick(WORDS)} ${number}`,
            ...pick(
              COUNTRIES.map((code, index) => ({ iso3_country_code: code, country_name: NAMES[index] })),
            ),
            type: pick(TYPES),
            admin_unit: pick(UNITS),
            admin_unit2: pick(UNITS),
            regional_average: below(5) === 0,
          }),
        );
      }
      const sources = [await factory.source(), await factory.source(), await factory.source()];
      const units = [await factory.measureUnit(), await factory.measureUnit()];
      for (let number = 0; number < SERIES; number++) {
        const periodicity: ServedPeriodicityItem[] = [];
        for (const period of PERIODS) {
          if (below(3) > 0) continue;
          const start = below(DAYS);
          periodicity.push({ period, start_date: dateOf(start), end_date: dateOf(start + below(DAYS / 2)) });
        }
        await factory.series({
          commodity_id: pick(commodities),
          market_id: pick(markets),
          source_id: pick(sources),
          measure_unit_id: pick(units),
          price_type_id: pick(Object.values(priceTypes)),
          currency: pick(CURRENCIES),
          periodicity,
        });
      }
    });
    entries = await plainEntries(app.database);
  }, 60_000);
  afterAll(() => app.close());

  const fetchAll = async (path: string, values: FilterValues) => {
    const query = new URLSearchParams({ ...values, page_size: '10000' });
    const { status, body } = await app.http().get(`/api/v1/${path}/?${query}`);
    return status === 200 ? (body as { count: number; results: unknown[] }) : { status, body };
  };

  it('start from the entries that the list returns', async () => {
    expect(await fetchAll('PriceSerie', {})).toEqual({
      count: SERIES,
      next: null,
      previous: null,
      results: entries,
    });
  });

  it('select the same series as a plain scan', async () => {
    const some = (column: string) => [...new Set(entries.map((entry) => entry[column] as number))];
    const generators: Record<string, fc.Arbitrary<string>> = {
      iso3_country_codes: upTo([...COUNTRIES, 'ken', 'XXX'], 3).map((codes) => codes.join(',')),
      iso3_country_codes_ne: upTo([...COUNTRIES, 'afg'], 3).map((codes) => codes.join(',')),
      periodicity: upTo([...PERIODS, 'WEEKLY'], 2).map((periods) => periods.join(',')),
      start_date: date,
      end_date: date,
      data_from: date,
      data_to: date,
      newerThan: fc.oneof(
        date,
        fc.integer({ min: 1500, max: 3000 }).map((days) => `${days} days ago`),
      ),
      olderThan: fc.oneof(
        date,
        fc.integer({ min: 1500, max: 3000 }).map((days) => `${days} days ago`),
      ),
      price_types_ids: ids(Object.values(priceTypes)),
      sources_ids: ids(some('source_id')),
      commodity_ids: ids(some('commodity_id')),
      measure_units_ids: ids(some('measure_unit_id')),
      market_ids: ids(some('market_id')),
      commodity__hs_class_code: upTo(
        ['1', '10', '100', '1006', '10063', '100630', '10063010', '02', '0207'],
        3,
      ).map((codes) => codes.join(',')),
      categories: texts(CATEGORIES),
      admin_units: texts(UNITS),
      market_types: texts(TYPES),
      market_types_ne: texts(TYPES),
      regional_average: fc.constantFrom('true', 'false', '1', '0'),
      currencies: upTo(['EUR', 'usd', ...CURRENCIES], 2).map((codes) => codes.join(',')),
      uuids: upTo(
        entries.map((entry) => entry.uuid),
        50,
      ).map((uuids) => uuids.join(',')),
      search: upTo([...WORDS, 'ric', 'MAR', 'republique', 'ï', '%'], 2).map((words) => words.join('  ')),
    };
    expect(Object.keys(generators).sort()).toEqual(Object.keys(plainFilters).sort());
    const names = Object.keys(generators);
    const values = fc
      .subarray(names, { minLength: 2, maxLength: 4 })
      .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, generators[name]!]))));
    let nonEmpty = 0;
    await assertProperty(
      'filters select the same series as a plain scan',
      fc.asyncProperty(values, async (values: FilterValues) => {
        for (const [first, second] of [
          ['start_date', 'end_date'],
          ['data_from', 'data_to'],
          ['newerThan', 'olderThan'],
        ] as const) {
          const [from, to] = [values[first], values[second]];
          fc.pre(from === undefined || to === undefined || absoluteDate(from) <= absoluteDate(to));
        }
        const results = entries.filter((entry) => matchesPlainly(entry, values));
        nonEmpty += Number(results.length > 0);
        expect(await fetchAll('PriceSerie', values)).toEqual({
          count: results.length,
          next: null,
          previous: null,
          results,
        });
      }),
      { numRuns: 200 },
    );
    // A property that only sees empty lists would prove nothing.
    expect(nonEmpty).toBeGreaterThan(60);
  }, 60_000);
});
