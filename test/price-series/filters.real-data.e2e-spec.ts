import fc from 'fast-check';
import { ImportService } from '../../src/import/import.service.js';
import { openInput } from '../../src/import/pipeline/input.js';
import { matchesPlainly, plainFilters, type FilterValues } from '../support/plain-filters.js';
import type { PlainEntry } from '../support/plain-series.js';
import { assertProperty } from '../support/property.js';
import { describeProof, realData } from '../support/real-data.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const FILE = 'wfp/large/wfp_food_prices_58countries_2023-08.csv.gz';

describeProof('filters over the large WFP file', () => {
  let app: TestApp;
  let entries: PlainEntry[];

  beforeAll(async () => {
    app = await startTestApp();
    const request = { format: 'wfp', options: {}, dryRun: false, caller: null, requestId: null };
    await app.app.get(ImportService).import(request, await openInput(realData(FILE)));
    const { body } = await app.http().get('/api/v1/PriceSerie/?page_size=10000').expect(200);
    entries = (body as { results: PlainEntry[] }).results;
  }, 300_000);
  afterAll(() => app.close());

  const selected = async (values: FilterValues): Promise<string[]> => {
    const query = new URLSearchParams({ ...values, page_size: '10000' });
    const { body } = await app.http().get(`/api/v1/PriceSerie/?${query}`).expect(200);
    return (body as { results: PlainEntry[] }).results.map(({ uuid }) => uuid);
  };
  const plainly = (values: FilterValues) =>
    entries.filter((entry) => matchesPlainly(entry, values)).map(({ uuid }) => uuid);

  it('start from all of its series', () => expect(entries).toHaveLength(9806));

  /**
   * Values of each filter, taken from the entries themselves, so that most of them match something.
   */
  const generators = (): Record<string, fc.Arbitrary<string>> => {
    const from = (column: string, most = 3, show: (value: string) => string = (value) => value) => {
      const values = [...new Set(entries.map((entry) => String(entry[column] ?? '')))].filter(
        (value) => value !== '',
      );
      return fc
        .array(fc.constantFrom(...values), { minLength: 1, maxLength: most })
        .map((items) => items.map(show).join(','));
    };
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const date = fc
      .tuple(fc.integer({ min: 1995, max: 2023 }), fc.integer({ min: 1, max: 12 }))
      .map(([year, month]) => `${year}-${String(month).padStart(2, '0')}-01`);
    const word = from('commodity', 1, (name) => name.split(/\W+/)[0]!);
    return {
      iso3_country_codes: from('iso3_country_code', 5),
      iso3_country_codes_ne: from('iso3_country_code', 5),
      periodicity: fc.constantFrom('monthly', 'weekly', 'daily,monthly'),
      start_date: date,
      end_date: date,
      data_from: date,
      data_to: date,
      newerThan: date,
      olderThan: date,
      price_types_ids: from('price_type_id', 2),
      sources_ids: from('source_id', 1),
      commodity_ids: from('commodity_id', 30),
      market_ids: from('market_id', 30),
      commodity__hs_class_code: from('hs_code', 3, (code) => code.slice(0, 4)),
      measure_units_ids: from('measure_unit_id', 3),
      categories: from('category', 2, quoted),
      admin_units: from('admin_unit', 5, quoted),
      market_types: fc.constantFrom('Urban', '"National average"'),
      market_types_ne: fc.constantFrom('Urban', '"National average"'),
      regional_average: fc.constantFrom('true', 'false'),
      currencies: from('currency', 3),
      uuids: from('uuid', 50),
      search: word,
    };
  };

  it('select, each alone, the same series as a plain scan', async () => {
    expect(Object.keys(generators()).sort()).toEqual(Object.keys(plainFilters).sort());
    for (const [name, values] of Object.entries(generators())) {
      for (const value of fc.sample(values, { numRuns: 3, seed: 7 })) {
        expect([name, value, await selected({ [name]: value })]).toEqual([
          name,
          value,
          plainly({ [name]: value }),
        ]);
      }
    }
  }, 120_000);

  it('select, in random combinations of two to four, the same series as a plain scan', async () => {
    const all = generators();
    const combinations = fc
      .subarray(Object.keys(all), { minLength: 2, maxLength: 4 })
      .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, all[name]!]))));
    let nonEmpty = 0;
    await assertProperty(
      'filters over the large WFP file select the same series as a plain scan',
      fc.asyncProperty(combinations, async (values: FilterValues) => {
        for (const [first, second] of [
          ['start_date', 'end_date'],
          ['data_from', 'data_to'],
          ['newerThan', 'olderThan'],
        ] as const) {
          fc.pre(
            values[first] === undefined || values[second] === undefined || values[first] <= values[second],
          );
        }
        const expected = plainly(values);
        nonEmpty += Number(expected.length > 0);
        expect(await selected(values)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
    expect(nonEmpty).toBeGreaterThan(40);
  }, 180_000);
});
