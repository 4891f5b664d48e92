import fc from 'fast-check';
import { ApiDocument, type Json } from '../fuzz/api-document.js';
import { assertProperty } from '../support/property.js';
import { randomNumbers, storeRandomPrices } from '../support/random-prices.js';
import { type ExplainedSeries, expectClose, recomputedPrices } from '../support/recomputation.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Random replies that are recomputed; set `EXPLAIN_CASES` for a longer run by hand. */
const CASES = Number(process.env.EXPLAIN_CASES) || 60;

interface ExplainedComparison {
  measure: string;
  per: string;
  observations: { date: string; value: number | null; a: number | null; b: number | null }[];
  explain: { series: [a: ExplainedSeries, b: ExplainedSeries] };
}

describe('the explanation of a comparison', () => {
  let service: TestApp;
  let random: string[];
  beforeAll(async () => {
    service = await startTestApp();
    random = await storeRandomPrices(service.unitOfWork, randomNumbers(1));
  });
  afterAll(() => service?.close());

  it('is what random comparisons are recomputed from', async () => {
    const documented = new ApiDocument((await service.http().get('/openapi.json')).body as Json);
    const operation = documented.operations.find(({ path }) => path === '/api/v1/PriceCompare')!;
    let compared = 0;
    const query = fc.record({
      measure: fc.constantFrom('nominal', 'real', 'usd', 'real_usd'),
      per: fc.constantFrom('unit', 'base'),
      formula: fc.constantFrom('ratio', 'difference'),
      end_date: fc.integer({ min: 2014, max: 2022 }).map((year) => `${year}-06-30`),
    });
    const pair = fc.uniqueArray(fc.constantFrom(...random), { minLength: 2, maxLength: 2 });
    await assertProperty(
      'explained comparisons',
      fc.asyncProperty(pair, query, async (uuids, parameters) => {
        const text = new URLSearchParams(parameters).toString();
        const reply = await service
          .http()
          .get(`/api/v1/PriceCompare/?uuids=${uuids.join(',')}&latest=3&explain=true&${text}`);
        if (reply.status === 400) {
          expect((reply.body as { errors: { code: string }[] }).errors[0]!.code).toBe('not_comparable');
          return;
        }
        const answer = reply.body as ExplainedComparison;
        expect(documented.mismatch(operation, 200, 'application/json', reply.text)).toBeNull();
        const [a, b] = answer.explain.series.map((one) => recomputedPrices(one, answer, expectClose));
        for (const { date, ...given } of answer.observations) {
          const [valueOfA, valueOfB] = [a!, b!].map((one) => one.get(date)?.value ?? NaN) as [number, number];
          const value = parameters.formula === 'ratio' ? valueOfA / valueOfB : valueOfA - valueOfB;
          for (const [name, recomputed] of Object.entries({ a: valueOfA, b: valueOfB, value })) {
            const number = given[name as 'a' | 'b' | 'value'];
            if (number === null) expect(recomputed).toBeNaN();
            else expectClose({ name, given: number, recomputed });
          }
          compared += Number(given.value !== null);
        }
      }),
      { numRuns: CASES },
    );
    expect(compared).toBeGreaterThan(20);
  }, 3_000_000);
});
