import fc from 'fast-check';
import { ApiDocument, type Json } from '../fuzz/api-document.js';
import { assertProperty } from '../support/property.js';
import { randomNumbers, storeRandomPrices } from '../support/random-prices.js';
import {
  expectClose,
  mean,
  recomputedPrices,
  type ExplainedSeries,
  type Recomputed,
  type RecomputedPrice,
} from '../support/recomputation.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Random replies that are recomputed; set `EXPLAIN_CASES` for a longer run by hand. */
const CASES = Number(process.env.EXPLAIN_CASES) || 30;

interface ExplainedAggregate {
  date: string;
  median: number | null;
  mean: number | null;
  min: number | null;
  max: number | null;
  n: number;
  index: number | null;
  n_matched: number | null;
  explain: {
    prices: { uuid: string; value: number; before: number | null }[];
    linked_from: string | null;
    linked_value: number | null;
    scale: number | null;
  };
}
interface ExplainedGroup {
  settings: { measure: string; per: string; periodicity: string; aggregation: string };
  observations: ExplainedAggregate[];
  explain: { formulas: Record<string, string>; series: ExplainedSeries[] };
}

const median = (values: readonly number[]) => {
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
};
const AGGREGATIONS: Record<string, (values: readonly number[]) => number> = {
  avg: mean,
  eop: (values) => values.at(-1)!,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  median,
};

/** All numbers of a group, recomputed from its explanation alone. */
function recomputedGroup({ settings, observations, explain }: ExplainedGroup): Recomputed[] {
  const numbers: Recomputed[] = [];
  const add = (name: string, given: number | null, recomputed: number) => {
    if (given !== null) numbers.push({ name, given, recomputed });
  };
  const prices = new Map<string, Map<string, RecomputedPrice>>();
  for (const series of explain.series)
    prices.set(
      series.uuid,
      recomputedPrices(series, settings, (number) => numbers.push(number)),
    );
  const length = { monthly: 1, quarterly: 3, annual: 12 }[settings.periodicity]!;
  /** The value of a series in the period that begins on a date. */
  const value = (uuid: string, date: string) => {
    const end = new Date(date);
    end.setUTCMonth(end.getUTCMonth() + length);
    const until = end.toISOString().slice(0, 10);
    const months = [...prices.get(uuid)!].filter(([of]) => of >= date && of < until);
    const values = months.map(([, price]) => price.value).filter((price) => price > 0);
    return AGGREGATIONS[settings.aggregation]!(values);
  };
  for (const { date, explain: of, ...given } of observations) {
    const values = of.prices.map(({ uuid }) => value(uuid, date));
    add('n', given.n, values.length);
    add('median', given.median, median(values));
    add('mean', given.mean, mean(values));
    add('min', given.min, Math.min(...values));
    add('max', given.max, Math.max(...values));
    const matched = of.prices.filter(({ before }) => before !== null);
    const logarithms = matched.map(({ uuid }) => Math.log(value(uuid, date) / value(uuid, of.linked_from!)));
    const ratio = matched.length === 0 ? 1 : Math.exp(mean(logarithms));
    if (of.linked_from !== null) add('n_matched', given.n_matched, matched.length);
    add('index', given.index, of.linked_value! * ratio * of.scale!);
  }
  return numbers;
}

describe('PriceAggregate/?explain=true', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
    await storeRandomPrices(service.unitOfWork, randomNumbers(7));
  });
  afterAll(() => service?.close());
  const get = (query: string) => service.http().get(`/api/v1/PriceAggregate/?explain=true${query}`);

  it('names the prices of each series, and what they were made of', async () => {
    const { body } = await get('&by=commodity&latest=2&base=2015-01&search=rice').expect(200);
    const [group] = (body as { results: ExplainedGroup[] }).results;
    const [newest] = group!.observations;
    expect(newest!.explain.prices).toHaveLength(newest!.n);
    expect(newest!.explain.prices.filter(({ before }) => before !== null)).toHaveLength(newest!.n_matched!);
    expect(group!.explain.formulas.price).toBe('price_value_dollar × unit_factor');
    const numbers = recomputedGroup(group!);
    expect(new Set(numbers.map(({ name }) => name))).toEqual(
      new Set([
        ...['price_value', 'n', 'price_value_dollar', 'value', 'rate'],
        ...['median', 'mean', 'min', 'max', 'n_matched', 'index'],
      ]),
    );
    numbers.forEach(expectClose);
  });

  it('is bounded, and JSON alone', async () => {
    const errors = async (query: string) => {
      const { body } = await get(query).expect(400);
      return (body as { errors: object[] }).errors;
    };
    const [tooMany] = await errors('&by=commodity&start_date=2015-01-01&end_date=2016-01-31');
    expect(tooMany).toMatchObject({ name: 'explain', code: 'too_many_items', max: 12 });
    expect(await errors('&latest=1&format=csv')).toMatchObject([{ name: 'explain', code: 'contradiction' }]);
    const { body } = await service.http().get('/api/v1/PriceAggregate/?latest=1').expect(200);
    expect(JSON.stringify(body)).not.toContain('"explain"');
  });

  it('is all that random aggregates are recomputed from', async () => {
    const documented = new ApiDocument((await service.http().get('/openapi.json')).body as Json);
    const operation = documented.operations.find(({ path }) => path === '/api/v1/PriceAggregate')!;
    const query = fc.record(
      {
        by: fc.constantFrom('commodity', 'country,commodity'),
        measure: fc.constantFrom('nominal', 'real', 'usd', 'real_usd'),
        per: fc.constantFrom('unit', 'base'),
        min_matched: fc.constantFrom('1', '2'),
        end_date: fc.integer({ min: 2014, max: 2023 }).map((year) => `${year}-12-31`),
      },
      { requiredKeys: ['min_matched', 'by'] },
    );
    const period = fc.constantFrom<Record<string, string>>(
      {},
      { periodicity: 'quarterly', aggregation: 'median' },
      { periodicity: 'quarterly', aggregation: 'eop' },
      { periodicity: 'annual' },
    );
    await assertProperty(
      'explained aggregates',
      fc.asyncProperty(query, period, async (settings, of) => {
        const parameters = new URLSearchParams({ ...settings, ...of, latest: '1' }).toString();
        const { text, body } = await get(`&${parameters}`).expect(200);
        expect(documented.mismatch(operation, 200, 'application/json', text)).toBeNull();
        for (const group of (body as { results: ExplainedGroup[] }).results)
          recomputedGroup(group).forEach(expectClose);
      }),
      { numRuns: CASES },
    );
  }, 3_000_000);
});
