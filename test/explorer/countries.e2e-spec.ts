import { randomUUID } from 'node:crypto';
import { AggregateLimits } from '../../src/analysis/aggregates/aggregates.service.js';
import { storeIndices, storePoints, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSafe, open, page, tableRows } from './pages.js';

const HOSTILE = '<script>alert(1)</script>"\'&';
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;';
const one = randomUUID();

/** Months of seven years; the last price is another. */
const monthly = (last: number) =>
  Array.from({ length: 84 }, (_, index) => {
    const date = `${2018 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
    return [date, index === 83 ? last : 20 + (index % 5)] as const;
  });

let service: TestApp;
let ids: Map<string, number>;
beforeAll(async () => {
  service = await startTestApp();
  const series = (commodity: string, market: string, last: number) => ({
    uuid: randomUUID(),
    commodity: { name: commodity },
    market: { name: market, iso3_country_code: 'KEN', country_name: 'Kenya' },
    points: { monthly: monthly(last) },
  });
  ids = await storeSeries(service.unitOfWork, [
    ...['a', 'b', HOSTILE].map((market) => series('Maize', market, 80)),
    series('Beans', 'a', 22),
    {
      uuid: one,
      commodity: { name: HOSTILE },
      market: { name: 'سوق', iso3_country_code: 'YEM', country_name: HOSTILE },
      currency: 'YER',
      points: { monthly: [['2024-01-01', 5]] },
    },
    {
      uuid: randomUUID(),
      market: { name: 'Accra', iso3_country_code: 'GHA', country_name: '' },
      currency: 'GHS',
    },
    {
      uuid: randomUUID(),
      commodity: { name: 'Wage (non-qualified labour)' },
      market: { name: 'Cotonou', iso3_country_code: 'BEN', country_name: 'Benin' },
      points: { monthly: [['2024-01-01', 5]] },
    },
    {
      uuid: randomUUID(),
      commodity: { name: 'Goat' },
      market: { name: 'Lomé', iso3_country_code: 'TGO', country_name: 'Togo' },
      unit: { name: 'Head', dimension: 'other', conversion_factor: null },
      currency: 'USD',
      points: { monthly: [['2024-01-01', 5]] },
    },
  ]);
  await storeRates(
    service.unitOfWork,
    monthly(100).map(([date]) => ['KES', date, 100] as const),
  );
  await storeIndices(
    service.unitOfWork,
    monthly(100).map(([date]) => ['KEN', date, 100] as const),
  );
});
afterAll(() => service.close());

const listOf = async <T>(address: string) =>
  ((await service.http().get(`/api/v1/${address}`).expect(200)).body as { results: T[] }).results;

describe('the page of a country', () => {
  it('has the counts, warnings and aggregates of the API', async () => {
    const html = await page(service, '/countries/KEN');
    expect(html).toContain('Kenya: 4 price series of 3 markets.');
    expect(html).toContain('<strong>Newest prices: December 2024, 23 months ago.</strong>');
    const warnings = await listOf<{
      commodity: string;
      fresh: number;
      rated: number;
      high: number;
      ifpa: { high: number };
      alps: { alert: number; crisis: number };
    }>('PriceWarning/?by=country,commodity&iso3_country_codes=KEN');
    const high = warnings.filter((row) => row.high > 0);
    expect(high).toHaveLength(1);
    expect(tableRows(html, '<h2>Warnings')).toEqual(
      high.map(({ commodity, fresh, rated, high: count, ifpa, alps }) => [
        commodity,
        ...[fresh, rated, count, ifpa.high, alps.alert + alps.crisis].map(String),
      ]),
    );
    const [country] = await listOf<{ fresh: number; rated: number; high: number }>(
      'PriceWarning/?iso3_country_codes=KEN',
    );
    expect(country).toMatchObject({ rated: 4, high: 3 });
    expect(html).toContain('December 2024: 75% of the food prices that can be rated are high (3 of 4).');
    const changes = await listOf<Record<string, string | number | null>>(
      'PriceChange/?iso3_country_codes=KEN&min_matched=1',
    );
    const percent = (value: unknown) =>
      `${Number(value) > 0 ? '+' : ''}${Math.round(Number(value) * 1000) / 10}%`;
    expect(tableRows(html, '<h2>What food costs').map((cells) => cells.filter((_, at) => at !== 6))).toEqual(
      changes.map(({ commodity, month, median, change_1m, change_12m }) => [
        commodity,
        String(median),
        percent(change_12m),
        percent(change_1m),
        'KES per kg, retail',
        month,
        commodity === 'Maize' ? '100% (3 of 3)' : 'too few can be rated',
      ]),
    );
    expect(html.match(/class="chart spark"/g)).toHaveLength(2);
    expect(html).toMatch(/href="\/countries\/KEN\/commodities\/\d+">\s*<bdi>Maize/);
    expect(html).toContain('Maize, retail (n = 3)');
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('gives all its prices, a row each and series across, in each format', async () => {
    const html = await page(service, '/countries/KEN');
    const links = [...html.matchAll(/href="(\/api\/v1\/Price(?:SeriePrice|Table)\/[^"]*)"/g)].map((match) =>
      match[1]!.replaceAll('&amp;', '&'),
    );
    expect(links).toEqual(
      ['PriceSeriePrice/?iso3_country_codes=KEN', 'PriceTable/?iso3_country_codes=KEN&goods=false'].flatMap(
        (list) =>
          ['', '&format=csv', '&format=xlsx', '&format=parquet'].map((format) => `/api/v1/${list}${format}`),
      ),
    );
    for (const link of links) await service.http().get(link).expect(200);
    const csv = await service.http().get(links[1]!).buffer(true).expect(200);
    const stored = await service.database.rows<{ count: number }>(
      `SELECT COUNT(*) AS count FROM observation o JOIN price_serie s ON s.id = o.serie_id
         JOIN market m ON m.id = s.market_id WHERE m.iso3_country_code = 'KEN'`,
    );
    expect(csv.text.trim().split('\r\n').length - 1).toBe(Number(stored[0]!.count));
  });

  it('has charts of series, exchange rate and price index, each with ids of its own', async () => {
    const html = await page(service, '/countries/ken');
    expect(html).toContain('href="http://127.0.0.1');
    expect(html).toMatch(/rel="canonical" href="[^"]*\/countries\/KEN"/);
    expect(html.match(/<svg [^>]*class="chart small"/g)).toHaveLength(2);
    expect(html).toContain('>KES per US$</text>');
    expect(html).toContain('>Consumer price index, Kenya</text>');
    const all = [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(all).size).toBe(all.length);
  });

  it('escapes every name, knows one point, and shows an earlier state', async () => {
    const html = await page(service, '/countries/YEM');
    expect(html).toContain(`<h1><bdi>${ESCAPED}</bdi></h1>`);
    expect(html).toContain('The newest prices are old, so none of them is called high today.');
    expect(html).toContain('a quarter of the countries have prices of December 2024.');
    expect(html).toContain('An index needs at least three series');
    expect(html).toContain('There is no exchange rate of YER.');
    expect(html).toContain('There is no consumer price index.');
    expect(tableRows(html, '<h2>What food costs')).toEqual([
      [ESCAPED, '5', '–', '–', 'YER per kg, retail', '2024-01', '', ''],
    ]);
    const cite = /href="[^"]*(\/countries\/[^"]*as_of=r\d+)"/.exec(html)![1]!;
    await storePoints(service.unitOfWork, ids.get(one)!, { monthly: [['2024-02-01', 7]] });
    expect(await page(service, '/countries/YEM')).toContain('Newest prices: February 2024');
    const past = await page(service, cite);
    expect(past).toContain('Newest prices: January 2024');
    expect(past).toContain('Show the newest data');
    expect(past).toMatch(/\/countries\/YEM\/commodities\/\d+\?as_of=r/);
    const links = [...past.matchAll(/href="(\/api\/v1\/[^"]+)"/g)].map((match) => match[1]!);
    for (const link of links) {
      expect(link).toContain('as_of=r');
      await service.http().get(link.replaceAll('&amp;', '&')).expect(200);
    }
  });

  it('knows a country without prices or without a name, and one that uses dollars', async () => {
    const html = await page(service, '/countries/GHA');
    expect(html).toContain('<h1><bdi>Ghana</bdi></h1>');
    expect(html).toContain('There are no prices of food.');
    expect(await page(service, '/countries/TGO')).toContain('There is no exchange rate of USD.');
    expect(tableRows(await page(service, '/'), '<h2>Countries').map(([name]) => name)).toContain('Ghana');
    for (const text of [html, await page(service, '/countries/TGO')])
      expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('shows no prices of a country that has wages only', async () => {
    const html = await page(service, '/countries/BEN');
    expect(html).toContain('Benin: 1 price series of 1 market.');
    expect(html).toContain('>KES per US$</text>');
    expect(html).toContain('There are no prices of food.');
    expect(tableRows(html, 'What is no food (1)')).toEqual([
      ['Wage (non-qualified labour)', '5', '–', '–', 'KES per kg, retail', '2024-01', '', ''],
    ]);
    expect(html).not.toContain('<h2>Index');
    // Its prices can be had all the same.
    expect(html).toContain('/PriceTable/?iso3_country_codes=BEN&amp;goods=false');
  });

  it('shows what it can of a country with more series than are put together', async () => {
    const limits = service.app.get(AggregateLimits);
    limits.series = 2;
    // At addresses that are not kept yet.
    const html = await page(service, '/countries/Ken');
    const maize = /<a href="(\/countries\/KEN\/commodities\/(\d+))"><bdi>Maize</.exec(html)!;
    const ofMaize = await page(service, maize[1]!.replace('KEN', 'Ken'));
    const everywhere = await page(service, `/commodities/${maize[2]!}?page=1`);
    const picture = await open(service, `${maize[1]!.replace('KEN', 'Ken')}.svg`);
    limits.series = 0;
    const none = await page(service, '/countries/keN');
    limits.series = 10_000;
    expect(tableRows(html, '<h2>What food costs').map(([commodity]) => commodity)).toEqual(['Beans']);
    expect(html).not.toContain('PriceAggregate');
    // What is not in the table is told, and leads on.
    expect(html).toMatch(
      /<summary>Not in the table \(1\)<\/summary>\s*<p>A page puts the prices of at most 2 series/,
    );
    expect(none).toContain('<summary>Not in the table (2)</summary>');
    expect(none).not.toContain('There are no prices of food.');
    expect(ofMaize).toContain('It has 3 series here, and a page puts the prices of at most 2 together.');
    expect(ofMaize).toMatch(
      /href="\/browse\?iso3_country_codes=KEN&amp;commodity_ids=\d+&amp;order=market"[^>]*>Choose some of its series/,
    );
    expect(ofMaize).not.toMatch(/PriceAggregate|In real terms|There are no such prices/);
    expect(picture.status).toBe(404);
    expect(everywhere).toContain('<summary>Not in the table (1)</summary>');
    expect(everywhere).toContain('<a href="/countries/KEN/commodities/');
    expect(everywhere).not.toMatch(/PriceAggregate|no exchange rate/);
  });

  it('counts open findings, and has them as data', async () => {
    const html = await page(service, '/countries/KEN');
    const address = 'Finding/?iso3_country_codes=KEN&state=open';
    const { body } = await service.http().get(`/api/v1/${address}`).expect(200);
    const { count } = body as { count: number };
    expect(count).toBeGreaterThan(0);
    expect(html).toContain(`<p>${count} open finding${count === 1 ? '' : 's'} of`);
    expect(html.split('This view as data')[1]).toContain(
      `<a href="/api/v1/${address.replace('&', '&amp;')}" rel="nofollow"`,
    );
  });

  it('links to data that are there, and other pages link to it', async () => {
    for (const country of ['KEN', 'GHA', 'TGO']) {
      const html = await page(service, `/countries/${country}`);
      const links = [...html.matchAll(/href="(\/api\/v1\/[^"]+)"/g)].map((match) => match[1]!);
      expect(links.length).toBeGreaterThan(7);
      for (const link of links) await service.http().get(link.replaceAll('&amp;', '&')).expect(200);
    }
    for (const address of ['/', '/warnings', `/series/${one}`])
      expect(await page(service, address)).toContain('href="/countries/YEM"');
  });

  it('answers the rest in words', async () => {
    for (const [address, status] of [
      ['/countries/XXX', 404],
      ['/countries/K%3Cscript%3E', 404],
      ['/countries/KEN?as_of=r99999', 400],
    ] as const) {
      const response = await open(service, address);
      expect([address, response.status]).toEqual([address, status]);
      expectSafe(response.text);
    }
  });
});

it('the page of a country says what rules have found in words, without the calls that mend it', async () => {
  const points = (from: number) =>
    Array.from(
      { length: 12 },
      (_, index) => [`${from}-${String(index + 1).padStart(2, '0')}-01`, 100 + index] as const,
    );
  await storeSeries(
    service.unitOfWork,
    [
      ['Basin', 2022],
      ['Heap', 2023],
    ].map(([unit, year]) => ({
      uuid: randomUUID(),
      commodity: { name: 'Okra' },
      market: { name: 'Gao', iso3_country_code: 'MLI', country_name: 'Mali' },
      unit: { name: String(unit), dimension: 'other', conversion_factor: null },
      points: { monthly: points(Number(year)) },
    })),
  );
  const { body } = await service
    .http()
    .get('/api/v1/Finding/?iso3_country_codes=MLI&rule=split_series')
    .expect(200);
  const [{ detail }] = (body as { results: [{ detail: string }] }).results;
  expect(detail).toContain('POST PriceSerie/');
  const html = await page(service, '/countries/MLI');
  const found = html.slice(html.indexOf('What looks wrong'), html.indexOf('This view as data'));
  expect(found).toContain('Series of the same thing in two units or currencies');
  expect(found).toContain(detail.slice(0, detail.indexOf(' POST')));
  expect(found).not.toMatch(/POST|merge|would join/);
});

it('the page of a country names some hundred markets, and leads to the others', async () => {
  await storeSeries(
    service.unitOfWork,
    Array.from({ length: 502 }, (_, index) => ({
      uuid: randomUUID(),
      commodity: { name: 'Yams' },
      market: { name: `Market ${1000 + index}`, iso3_country_code: 'NGA', country_name: 'Nigeria' },
    })),
  );
  const html = await page(service, '/countries/NGA');
  const listed = html.slice(html.indexOf('Markets (502)'));
  expect(listed.match(/href="\/markets\/\d+"/g)).toHaveLength(500);
  expect(listed).toMatch(/href="\/browse\?iso3_country_codes=NGA&amp;order=market"[^>]*>and 2 more</);
  await page(service, '/browse?iso3_country_codes=NGA&order=market');
});

it('shows the chart of the main food where there is no index, which is the one to save', async () => {
  const html = await page(service, '/countries/TGO');
  expect(html).toContain('An index needs at least three series');
  const shown = html.slice(html.indexOf('An index needs'), html.indexOf('Save the chart'));
  expect(shown).toContain('Goat in Togo: median price');
  expect(shown).toContain('<svg');
  expect(await page(service, '/countries/BEN')).not.toContain('Save the chart');
});
