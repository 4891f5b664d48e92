import type { TestApp } from '../support/test-app.js';
import { followGuide } from './follow-guide.js';

const copy = followGuide('adding-a-filter.md');
afterAll(() => copy.remove());

// The tests that the guide extends.
await copy.load('test/price-series/filters.e2e-spec.ts');

describe('the filter of the guide', () => {
  let app: TestApp;
  beforeAll(async () => {
    const { startTestApp } =
      await copy.load<typeof import('../support/test-app.js')>('test/support/test-app.ts');
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it.each(['PriceSeriePrice', 'FpmaSerie', 'FpmaSerieDomestic', 'FpmaSeriePrice'])(
    'works in the list %s',
    async (list) => {
      const { body } = await app.http().get(`/api/v1/${list}/?has_coordinates=maybe`).expect(400);
      expect(body.errors).toEqual([
        {
          in: 'query',
          name: 'has_coordinates',
          code: 'invalid_boolean',
          detail: 'has_coordinates must be true, false, 1 or 0; got "maybe".',
        },
      ]);
    },
  );

  it('is in the API document', async () => {
    const { body } = await app.http().get('/openapi.json').expect(200);
    expect(body.paths['/api/v1/PriceSerie'].get.parameters).toContainEqual({
      name: 'has_coordinates',
      in: 'query',
      description: 'Whether the market has coordinates.',
      schema: { type: 'boolean' },
    });
  });
});
