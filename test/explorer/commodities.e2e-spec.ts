import { randomUUID } from 'node:crypto';
import { storePoints, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSafe, numbers, open, page, tableRows } from './pages.js';

const HOSTILE = '<script>alert(1)</script>"\'&';
const months = Array.from({ length: 14 }, (_, index) => {
  const date = `${2023 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
  return [date, 100 + index] as const;
});
const one = randomUUID();

let service: TestApp;
let ids: Map<string, number>;
const idsOf = new Map<string, number>();

const market = (name: string, iso3_country_code: string, country_name: string) => ({
  name,
  iso3_country_code,
  country_name,
});

beforeAll(async () => {
  service = await startTestApp();
  const series = (commodity: string, place: ReturnType<typeof market>, currency = 'KES', priceType = 12) => ({
    uuid: randomUUID(),
    commodity: { name: commodity },
    market: place,
    currency,
    priceType,
    points: { monthly: months },
  });
  ids = await storeSeries(service.unitOfWork, [
    ...['a', 'b', 'c'].map((name) => series('Maize', market(name, 'KEN', 'Kenya'))),
    series('Maize', market('d', 'KEN', 'Kenya'), 'KES', 13),
    series('Maize', market('سوق', 'YEM', 'اليمن'), 'YER'),
    series('Maize', market('x', 'XXX', HOSTILE)),
    { ...series(HOSTILE, market('a', 'KEN', 'Kenya')), uuid: one, points: { monthly: [['2023-02-01', 5]] } },
    {
      ...series('Goat', market('a', 'KEN', 'Kenya')),
      unit: { name: 'Head', dimension: 'other', conversion_factor: null },
    },
  ]);
  await storeRates(
    service.unitOfWork,
    months.flatMap(([date, rate]) => [['KES', date, rate] as const, ['YER', date, rate * 2] as const]),
  );
  const { body } = await service.http().get('/api/v1/PriceSerie/').expect(200);
  for (const { commodity, commodity_id } of (
    body as { results: { commodity: string; commodity_id: number }[] }
  ).results)
    idsOf.set(commodity, commodity_id);
});
afterAll(() => service.close());

interface Group {
  country_name: string;
  price_type: string;
  observations: Record<'median' | 'min' | 'max' | 'n' | 'index' | 'n_matched', number | null>[];
}
const groupsOf = async (id: number) =>
  (
    (await service.http().get(`/api/v1/PriceAggregate/?commodity_ids=${id}&by=country`).expect(200)).body as {
      results: Group[];
    }
  ).results;

describe('the page of a commodity', () => {
  it('has the aggregates of the API by country, and the months of those in the chart', async () => {
    const html = await page(service, `/commodities/${idsOf.get('Maize')}`);
    const groups = await groupsOf(idsOf.get('Maize')!);
    expect(groups).toHaveLength(4);
    expect(tableRows(html, '<h2>Countries').map(([country, type]) => [country, type])).toEqual(
      groups.map(({ country_name, price_type }) => [
        country_name === HOSTILE ? '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;' : country_name,
        `${price_type.toLowerCase()}, US$ per kg`,
      ]),
    );
    expect(numbers(html, '<h2>Countries').map((row) => row.filter((_, index) => index !== 3))).toEqual(
      groups.map(({ observations: [newest] }) => [
        newest!.median,
        newest!.min,
        newest!.max,
        newest!.index,
        newest!.n_matched,
      ]),
    );
    const retail = groups.filter(({ price_type }) => price_type === 'RETAIL');
    expect(numbers(html)).toEqual(
      months.map((_, index) => retail.map(({ observations }) => observations[index]!.median)),
    );
    expect(html).toContain('>US$ per kg, median of retail prices</text>');
    expect(html).toContain('href="/countries/KEN"');
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('escapes its name, knows one point, and shows an earlier state', async () => {
    const address = `/commodities/${idsOf.get(HOSTILE)}`;
    const html = await page(service, address);
    expect(html).toContain('<h1><bdi>&lt;script&gt;');
    expect(numbers(html)).toEqual([[Number((5 / 101).toPrecision(15))]]);
    const cite = /href="[^"]*(\/commodities\/[^"]*as_of=r\d+)"/.exec(html)![1]!;
    await storePoints(service.unitOfWork, ids.get(one)!, { monthly: [['2023-02-01', 7]] });
    expect(numbers(await page(service, address))).toEqual([[Number((7 / 101).toPrecision(15))]]);
    expect(numbers(await page(service, cite))).toEqual(numbers(html));
  });

  it('says so where nothing can be given per kilogram', async () => {
    const html = await page(service, `/commodities/${idsOf.get('Goat')}`);
    expect(html).toContain('None of its prices can be given per kilogram or litre');
    expect(html).not.toContain('<svg');
  });

  it('links to data that are there, and answers the rest in words', async () => {
    const html = await page(service, `/commodities/${idsOf.get('Maize')}`);
    const links = [...html.matchAll(/href="(\/api\/v1\/[^"]+)"/g)].map((match) => match[1]!);
    expect(links).toHaveLength(12);
    for (const link of links) await service.http().get(link.replaceAll('&amp;', '&')).expect(200);
    for (const [address, status] of [
      ['/commodities/999999', 404],
      ['/commodities/x', 404],
      ['/commodities/0', 404],
      [`/commodities/${idsOf.get('Maize')}?page=2`, 404],
      [`/commodities/${idsOf.get('Maize')}?as_of=r99999`, 400],
    ] as const) {
      const response = await open(service, address);
      expect([address, response.status]).toEqual([address, status]);
      expectSafe(response.text);
    }
  });
});
