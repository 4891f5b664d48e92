import { randomUUID } from 'node:crypto';
import { storePoints, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSafe, numbers, open, page, tableRows } from './pages.js';

const HOSTILE = '<script>alert(1)</script>"\'&';
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;';
const months = Array.from({ length: 14 }, (_, index) => {
  const date = `${2023 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
  return [date, 100 + index] as const;
});
/** Three years from January 2021 on. */
const years = Array.from({ length: 36 }, (_, index): [string, number] => [
  `${2021 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`,
  100 + index,
]);
const head = { name: 'Head', dimension: 'other' as const, conversion_factor: null };
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
    { ...series('Goat', market('a', 'KEN', 'Kenya')), unit: head },
    series('Sheep', market('t', 'TCD', 'Chad'), 'XAF'),
    {
      ...series('Goat', market('Average', 'UGA', 'Uganda'), 'UGX'),
      market: { ...market('Average', 'UGA', 'Uganda'), regional_average: true },
      points: { monthly: [['2024-02-01', 7]] },
    },
    {
      ...series('Goat', market('t', 'TCD', 'Chad'), 'XAF'),
      unit: head,
      points: { monthly: [['2020-01-01', 5]] },
    },
    ...[
      ['KEN', 'Kenya', 'KES', 0],
      ['UGA', 'Uganda', 'UGX', 3],
      ['TCD', 'Chad', 'XAF', 20],
    ].flatMap(([iso3, country, currency, from]) =>
      ['p', 'q', 'r'].map((name) => ({
        ...series(
          'Sorghum',
          market(`${String(country)} ${name}`, String(iso3), String(country)),
          String(currency),
        ),
        points: { monthly: years.slice(Number(from)) },
      })),
    ),
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
  series: number;
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
  it('says what it costs in each country and how much that has changed, as the API does', async () => {
    const html = await page(service, `/commodities/${idsOf.get('Maize')}`);
    expect(html).toContain(
      'In 3 of 3 countries with a price since December 2023 and one a year before, it costs more than then.',
    );
    const rows = tableRows(html, '<h2>Countries').map((cells) => cells.filter((_, index) => index !== 6));
    const change = ['+11.9%', '+0.9%'];
    expect(rows).toEqual([
      [ESCAPED, '113', ...change, 'KES per kg, retail', '2024-02', '1'],
      ['Kenya', '113', ...change, 'KES per kg, retail', '2024-02', '1'],
      ['اليمن', '113', ...change, 'YER per kg, retail', '2024-02', '0.5'],
    ]);
    const address = `/api/v1/PriceChange/?commodity_ids=${idsOf.get('Maize')}&by=country&min_matched=1&price_types_ids=12`;
    const { body } = await service.http().get(address).expect(200);
    const { results } = body as { results: Record<string, number | string>[] };
    expect(results.map(({ currency }) => currency)).toEqual(['KES', 'KES', 'YER']);
    for (const result of results)
      expect(result).toMatchObject({
        month: '2024-02',
        median: 113,
        change_1m: expect.closeTo(113 / 112 - 1, 12),
        change_12m: expect.closeTo(113 / 101 - 1, 12),
      });
    expect(html).toContain(`href="/countries/KEN/commodities/${idsOf.get('Maize')}"`);
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('has the months of the countries in its chart, in dollars', async () => {
    const html = await page(service, `/commodities/${idsOf.get('Maize')}`);
    const retail = (await groupsOf(idsOf.get('Maize')!)).filter(({ price_type }) => price_type === 'RETAIL');
    // The country with most series comes first.
    const [kenya, ...others] = retail.toSorted((one, other) => other.series - one.series);
    expect(numbers(html)).toEqual(
      months.map((_, index) => [kenya!, ...others].map(({ observations }) => observations[index]!.median)),
    );
    expect(html).toContain('>US$ per kg, median of retail prices</text>');
  });

  it('compares the changes of countries that have an index of two years, since one month', async () => {
    const html = await page(service, `/commodities/${idsOf.get('Sorghum')}`);
    expect(html).toContain('>Sorghum: change of local prices by country</text>');
    expect(html).toContain('>100 = April 2021</text>');
    const [change] = html.slice(html.indexOf('<figure>')).split('</figure>');
    expect(change).toContain('Kenya');
    expect(change).toContain('Uganda');
    expect(change).not.toContain('Chad');
  });

  it('shows old prices last and in grey, per published unit and as averages where there is nothing else', async () => {
    const html = await page(service, `/commodities/${idsOf.get('Goat')}`);
    const rows = tableRows(html, '<h2>Countries').map(([name, price, , , unit, month]) => [
      name,
      price,
      unit,
      month,
    ]);
    expect(rows).toEqual([
      ['Kenya', '113', 'KES per Head, retail', '2024-02'],
      ['Uganda', '7', 'UGX per kg, retail', '2024-02'],
      ['Chad', '5', 'XAF per Head, retail', '2020-01'],
    ]);
    expect(html).toMatch(/<tr class="muted">\s*<th scope="row"><a [^>]*><bdi>Chad/);
    expect(html).not.toMatch(/<tr class="muted">\s*<th scope="row"><a [^>]*><bdi>Uganda/);
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

  it('says so where nothing can be given in dollars', async () => {
    const html = await page(service, `/commodities/${idsOf.get('Sheep')}`);
    expect(html).toContain(
      'None of its prices can be given in US dollars: there is no exchange rate of their months.',
    );
    expect(html).not.toContain('<figure');
  });

  it('links to data that are there, and answers the rest in words', async () => {
    const html = await page(service, `/commodities/${idsOf.get('Maize')}`);
    const links = [...html.matchAll(/href="(\/api\/v1\/[^"]+)"/g)].map((match) => match[1]!);
    expect(links).toHaveLength(16);
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

describe('the page of all commodities', () => {
  it('lists them with what is known at a glance, foods first and old prices after new ones', async () => {
    const html = await page(service, '/commodities');
    expectSafe(html);
    const { body } = await service.http().get('/api/v1/PriceSerieFacet/').expect(200);
    const counted = (body as { facets: { commodity_ids: { name: string; count: number }[] } }).facets;
    const rows = tableRows(html, '<tbody>');
    expect(Object.fromEntries(rows.map(([name, , , series]) => [name, Number(series)]))).toEqual(
      Object.fromEntries(
        counted.commodity_ids.map(({ name, count }) => [name === HOSTILE ? ESCAPED : name, count]),
      ),
    );
    const list = (
      (await service.http().get('/api/v1/PriceSerie/?page_size=500').expect(200)).body as {
        results: { commodity: string; iso3_country_code: string; last_price_date: string | null }[];
      }
    ).results;
    for (const [name, newest, countries] of rows) {
      const own = list.filter(({ commodity }) => commodity === (name === ESCAPED ? HOSTILE : name));
      expect([name, countries, newest]).toEqual([
        name,
        String(new Set(own.map(({ iso3_country_code }) => iso3_country_code)).size),
        own
          .map(({ last_price_date }) => last_price_date!)
          .sort()
          .at(-1),
      ]);
    }
    expect(html).toMatch(/<a href="\/commodities\/\d+"><bdi>Maize<\/bdi><\/a>/);
    const grey = [...html.matchAll(/<tr class="muted">/g)];
    const oldest = /What is older than ([A-Z][a-z]+ \d{4}) is grey/.exec(html)![1]!;
    const limit = new Date(`1 ${oldest} UTC`).toISOString().slice(0, 7);
    const ages = rows.map(([, newest]) => Number(newest!.slice(0, 7) < limit));
    expect(grey).toHaveLength(ages.filter((old) => old === 1).length);
    expect(ages).toEqual(ages.toSorted());
  });

  it('shows an earlier state, which its links keep, and how to cite it', async () => {
    const html = await page(service, '/commodities');
    const [cite] = /\/commodities\?as_of=r\d+/.exec(html)!;
    await storeSeries(service.unitOfWork, [
      {
        uuid: randomUUID(),
        commodity: { name: 'Yam' },
        market: market('a', 'KEN', 'Kenya'),
        currency: 'KES',
        points: { monthly: [['2024-02-01', 3]] },
      },
    ]);
    const names = (shown: string) => tableRows(shown, '<tbody>').map(([name]) => name);
    const newest = names(await page(service, '/commodities'));
    const earlier = await page(service, cite);
    expect(names(earlier)).toEqual(newest.filter((name) => name !== 'Yam'));
    expect(newest).toContain('Yam');
    expect(tableRows(earlier, '<tbody>')).toEqual(tableRows(html, '<tbody>'));
    const [, state] = cite.split('?');
    expect(earlier).toContain(
      `<strong>Shown as it was at revision ${state!.slice('as_of=r'.length)}.</strong>`,
    );
    expect(earlier).toContain('<a href="/commodities">Show the newest data</a>');
    expect(earlier).toMatch(new RegExp(`<a href="/commodities/\\d+\\?${state}"[^>]*><bdi>Maize</bdi></a>`));
    expect(earlier).toContain(`href="/api/v1/PriceSerie/?${state}"`);
    await open(service, '/commodities?as_of=r99999').expect(400);
    expect(await page(service, '/commodities?as_of=r1')).toContain('There are no prices yet.');
  });

  it('has calls that keep the digits of codes', async () => {
    expect(await page(service, '/commodities')).toContain(
      '/api/v1/Commodity/?format=csv&quot;, keep_default_na=False, na_values=&quot;&quot;, dtype={&quot;hs_code&quot;: str})',
    );
  });

  it('is there of nothing, and has no page past the last', async () => {
    await open(service, '/commodities?page=2').expect(404);
    await open(service, '/commodities?page=x').expect(400);
    const empty = await startTestApp();
    try {
      expect(await page(empty, '/commodities')).toContain('There are no prices yet.');
    } finally {
      await empty.close();
    }
  });
});
