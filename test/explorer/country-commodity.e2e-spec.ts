import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { CommodityPrices } from '../../src/explorer/groups/commodity-prices.js';
import { GroupViews } from '../../src/explorer/groups/group-views.js';
import { storeIndices, storePoints, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { numbers, open, page, tableRows } from './pages.js';

const HOSTILE = '<script>alert(1)</script>"\'&';
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;';

/** Months of two years from January 2023 on, each price a tenth above that of a year before. */
const monthly = (price: number, count = 24) => ({
  monthly: Array.from({ length: count }, (_, index): [string, number] => [
    `${2023 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`,
    price * 1.1 ** Math.floor(index / 12) + (index % 12),
  ]),
});
const market = (name: string) => ({ name, iso3_country_code: 'KEN', country_name: 'Kenya' });
const nairobi = randomUUID();

let service: TestApp;
let seriesIds: Map<string, number>;
let ids: Record<string, number>;
beforeAll(async () => {
  service = await startTestApp();
  const maize = (name: string, price: number, months?: number) => ({
    uuid: name === 'Nairobi' ? nairobi : randomUUID(),
    commodity: { name: 'Maize (white)', hs_code: '100590' },
    market: market(name),
    points: monthly(price, months),
  });
  seriesIds = await storeSeries(service.unitOfWork, [
    maize('Nairobi', 100),
    maize('Mombasa', 200),
    maize(HOSTILE, 300),
    // Its newest price is of March 2024.
    maize('Garissa', 50, 15),
    { ...maize('Nairobi', 80), uuid: randomUUID(), priceType: 13 },
    { ...maize('All', 9), market: { ...market('All'), regional_average: true } },
    {
      uuid: randomUUID(),
      commodity: { name: 'Maize flour' },
      market: market('Nairobi'),
      points: monthly(9, 15),
    },
    {
      uuid: randomUUID(),
      commodity: { name: 'Cornmeal', hs_code: '100510' },
      market: market('Nairobi'),
      points: monthly(9),
    },
    { uuid: randomUUID(), commodity: { name: 'Rice' }, market: market('Nairobi'), points: monthly(9) },
    {
      uuid: randomUUID(),
      commodity: { name: 'Kale' },
      market: market('Nairobi'),
      unit: { name: 'Bunch', dimension: 'other', conversion_factor: null },
      points: monthly(20, 12),
    },
    {
      uuid: randomUUID(),
      commodity: { name: 'Salt' },
      market: { ...market('National Average'), regional_average: true },
      points: monthly(30),
    },
    {
      uuid: randomUUID(),
      commodity: { name: HOSTILE },
      market: { name: 'سوق', iso3_country_code: 'YEM', country_name: 'اليمن' },
      currency: 'YER',
      points: { monthly: [['2024-01-01', 5]] },
    },
  ]);
  await storeRates(
    service.unitOfWork,
    monthly(1, 18).monthly.map(([date]) => ['KES', date, 100] as const),
  );
  await storeIndices(
    service.unitOfWork,
    monthly(1).monthly.map(([date]) => ['KEN', date, 100] as const),
  );
  const { body } = await service.http().get('/api/v1/Commodity/?page_size=100').expect(200);
  ids = Object.fromEntries(
    (body as { results: { id: number; name: string }[] }).results.map(({ id, name }) => [name, id]),
  );
});
afterAll(() => service.close());

type Row = Record<string, string | number | null | object[]>;
const listOf = async (address: string) =>
  ((await service.http().get(`/api/v1/${address}`).expect(200)).body as { results: Row[] }).results;
const of = (commodity: string, query = '', country = 'KEN') =>
  `/countries/${country}/commodities/${ids[commodity]}${query}`;

describe('the page of a commodity in a country', () => {
  it('says what it costs and how much that has changed, as the API does', async () => {
    const html = await page(service, of('Maize (white)'));
    expect(html).toContain('<h1><bdi>Maize (white)</bdi>, <bdi>Kenya</bdi></h1>');
    expect(html).toContain('<strong>Newest prices: December 2024, 23 months ago.</strong>');
    // 231 of 121, 231 and 341; 211 a year before, and so on.
    expect(html).toContain(
      'KES 231 per kg, retail, in December 2024 (median of 3 markets), 9.4% more than a year before.',
    );
    const filters = `iso3_country_codes=KEN&commodity_ids=${ids['Maize (white)']}&price_types_ids=12`;
    const [change] = await listOf(`PriceChange/?${filters}`);
    expect(change).toMatchObject({ median: 231, n: 3, matched_12m: 3 });
    expect(change!.change_12m).toBeCloseTo(((121 / 111) * (231 / 211) * (341 / 311)) ** (1 / 3) - 1, 12);
    const markets = await listOf(`PriceChange/?${filters}&by=market&min_matched=1`);
    const percent = (value: unknown) =>
      value === null ? '–' : `${Number(value) > 0 ? '+' : ''}${Math.round(Number(value) * 1000) / 10}%`;
    expect(tableRows(html, '<h2>Markets')).toEqual(
      markets
        .toSorted((one, other) => String(one.market).localeCompare(String(other.market), 'en'))
        .map(({ market, month, median, change_1m, change_12m }) => [
          market === HOSTILE ? ESCAPED : market,
          month,
          String(median),
          percent(change_1m),
          percent(change_12m),
        ]),
    );
    expect(html).toMatch(/<tr class="muted">\s*<th scope="row"><a [^>]*><bdi>Garissa/);
    const [group] = await listOf(`PriceAggregate/?${filters}&measure=nominal`);
    const observations = group!.observations as Record<string, number>[];
    expect(observations).toHaveLength(24);
    expect(numbers(html).map(([median, , index, matched]) => [median, index, matched])).toEqual(
      observations.map(({ median, index, n_matched }) => [median, index, n_matched]),
    );
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('leads to prices of other kinds, in other money, and to what is like it', async () => {
    const html = await page(service, of('Maize (white)'));
    const link = (query: string) => `href="${of('Maize (white)')}?${query}"`;
    expect(html).toContain(`${link('price_type_id=13&amp;currency=KES&amp;unit=kg')}`);
    expect(html).toContain(link('measure=real&amp;price_type_id=12&amp;currency=KES&amp;unit=kg'));
    expect(html).toContain(link('measure=usd&amp;price_type_id=12&amp;unit=kg'));
    const also = /Also:([\s\S]*?)<\/p>/.exec(html)![1]!;
    expect(also.replaceAll(/<[^>]*>/g, '').trim()).toBe('Cornmeal (+4.5% in a year), Maize flour');
    const wholesale = await page(service, of('Maize (white)', '?price_type_id=13&currency=KES&unit=kg'));
    expect(wholesale).toContain(
      'KES 99 per kg, wholesale, in December 2024 (one market), 8.8% more than a year before.',
    );
    expect(wholesale).toContain(`/series/`);
  });

  it('says where prices in dollars end, and why', async () => {
    const html = await page(service, of('Maize (white)', '?measure=usd'));
    // Its table of prices is in dollars, too.
    const [table] = /PriceTable\/[^"]*format=csv/.exec(html)!;
    const { text } = await service
      .http()
      .get(`/api/v1/${table.replaceAll('&amp;', '&')}`)
      .expect(200);
    expect(text).toContain('RETAIL · USD/kg');
    expect(html).toContain('US$ 2.25 per kg, retail, in June 2024 (median of 3 markets)');
    expect(html).toContain(
      'In US dollars, prices end in June 2024: there is no exchange rate of later months.',
    );
    const none = await page(service, of(HOSTILE, '?measure=usd', 'YEM'));
    expect(none).toContain('there is no exchange rate of their months.');
    expect(none).not.toContain('<svg');
    await open(service, `${of(HOSTILE, '', 'YEM')}.svg?measure=usd`).expect(404);
  });

  it('shows a range of months in charts and table, as picture and embed, and leads to years', async () => {
    const address = of('Maize (white)', '?start_date=2024-02-01&end_date=2024-03-31');
    const html = await page(service, address);
    expect(tableRows(html, '<h2>The numbers').map(([month]) => month)).toEqual(['2024-03', '2024-02']);
    // The sentence is of the newest price.
    expect(html).toContain('KES 231 per kg, retail, in December 2024 (median of 3 markets)');
    const years = /aria-label="Time shown">([\s\S]*?)<\/nav>/.exec(html)![1]!;
    expect([...years.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)).toEqual([
      of('Maize (white)', '?start_date=2023-12-01'),
      of('Maize (white)'),
    ]);
    for (const [name, value] of [
      ['start_date', '2024-02-01'],
      ['end_date', '2024-03-31'],
    ])
      expect(html).toContain(`name="${name}" value="${value}"`);
    const svg = await service.http().get(address.replace('?', '.svg?')).expect(200);
    expect(String(svg.body)).toMatch(/class="line line0" d="M[^"L]*L[^"L]*"/);
    const none = await page(service, of('Maize (white)', '?end_date=2001-01-01'));
    expect(none).toContain('There are no prices in these months.');
    const { text } = await open(
      service,
      of('Maize (white)', '?start_date=2024-02-01&end_date=2023-01-01'),
    ).expect(400);
    expect(text).toContain('does not go with the other date');
  });

  it('shows what has no weight per published unit, and averages where no market has prices', async () => {
    const kale = await page(service, of('Kale'));
    expect(kale).toContain(
      'KES 31 per Bunch, retail, in December 2023 (one market), nothing can be compared with a year before.',
    );
    const salt = await page(service, of('Salt'));
    expect(salt).toContain(
      'KES 44 per kg, retail, in December 2024 (national or regional average), 7.3% more than a year before.',
    );
    expect(salt).toContain('average retail price');
  });

  it('keeps names from turning or breaking the page', async () => {
    const html = await page(service, of(HOSTILE, '', 'yem'));
    expect(html).toContain(`<bdi>${ESCAPED}</bdi>, <bdi>اليمن</bdi>`);
    expect(html).not.toContain('<script>alert');
  });

  it('is there in its state as picture, embed and file', async () => {
    const state = '?measure=real&price_type_id=12';
    for (const suffix of ['.svg', '.png', '.preview.png'])
      await open(service, `${of('Maize (white)')}${suffix}${state}`).expect(200);
    const { text } = await open(service, `/embed${of('Maize (white)', state)}`).expect(200);
    expect(text).toContain('Maize (white) in Kenya: median of retail prices');
    const html = await page(service, of('Maize (white)', state));
    const files = [...html.matchAll(/href="(\/api\/v1\/[^"]*format=csv[^"]*)"/g)].map(([, address]) =>
      address!.replaceAll('&amp;', '&'),
    );
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) await service.http().get(file).expect(200);
    const { text: prices } = await service.http().get(files[0]!).expect(200);
    // All prices of markets, of every kind.
    expect(prices.trim().split('\r\n')).toHaveLength(1 + 24 * 4 + 15);
  });

  it('is drawn and embedded without the prices of markets and of other commodities', async () => {
    const groups = jest.spyOn(service.app.get(GroupViews), 'read');
    const others = jest.spyOn(service.app.get(CommodityPrices), 'read');
    const read = async (address: string) => {
      groups.mockClear();
      others.mockClear();
      await open(service, address).expect(200);
      return [groups.mock.calls.map(([{ by }]) => by), others.mock.calls.length];
    };
    // Of a time that nothing else here asks for: replies are kept.
    const time = '?start_date=2024-03-01';
    for (const suffix of ['.svg', '.png', '.preview.png'])
      expect(await read(of('Maize (white)', `${suffix}${time}`))).toEqual([['commodity'], 0]);
    expect(await read(`/embed${of('Maize (white)', time)}`)).toEqual([['commodity'], 0]);
    expect(await read(of('Maize (white)', time))).toEqual([['commodity', 'market'], 1]);
    jest.restoreAllMocks();
  });

  it('shows an earlier state, and cites the one that it shows', async () => {
    const html = await page(service, of('Maize (white)'));
    const revision = /as_of=r(\d+)/.exec(html)![1]!;
    await storePoints(service.unitOfWork, seriesIds.get(nairobi)!, { monthly: [['2024-12-01', 500]] });
    expect(await page(service, of('Maize (white)'))).toContain('KES 341 per kg, retail, in December 2024');
    const before = await page(service, of('Maize (white)', `?as_of=r${revision}`));
    expect(before).toContain('KES 231 per kg, retail, in December 2024');
  });

  it('is not there for what has no prices', async () => {
    for (const address of [
      of('Rice', '', 'UGA'),
      of('Rice', '', 'K1'),
      '/countries/KEN/commodities/0',
      '/countries/KEN/commodities/rice',
      '/countries/KEN/commodities/99999',
      of('Maize (white)', '?page=9'),
    ])
      await open(service, address).expect(404);
    await open(service, of('Rice', '?measure=gold')).expect(400);
    const { text } = await open(service, of('Rice', '?price_type_id=13')).expect(200);
    expect(text).toContain('There are no such prices.');
    expect(text).toContain('retail, KES per kg (1 series)');
  });
});

describe('the months in which a commodity is dear and cheap', () => {
  /** Six years, a tenth dearer in March, a tenth cheaper in August. */
  const seasonal = (price: number) => ({
    monthly: Array.from({ length: 72 }, (_, index): [string, number] => [
      `${2019 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`,
      price * (index % 12 === 2 ? 1.1 : index % 12 === 7 ? 0.9 : 1),
    ]),
  });
  const uuid = randomUUID();
  let millet: number;
  beforeAll(async () => {
    const place = (name: string) => ({ name, iso3_country_code: 'TZA', country_name: 'Tanzania' });
    const names = ['Arusha', 'Dodoma', 'Tanga'];
    await storeSeries(
      service.unitOfWork,
      names.map((name, index) => ({
        uuid: index === 0 ? uuid : randomUUID(),
        commodity: { name: 'Millet' },
        market: place(name),
        currency: 'TZS',
        points: seasonal(100 * (index + 1)),
      })),
    );
    const [row] = await listOf('PriceSerie/?iso3_country_codes=TZA');
    millet = Number(row!.commodity_id);
  });

  it('are those of the seasonal index of its series', async () => {
    const html = await page(service, `/countries/TZA/commodities/${millet}`);
    const { body } = await service.http().get(`/api/v1/PriceSerieIndicator/${uuid}/`).expect(200);
    const { index } = (body as { seasonal: { index: number[] } }).seasonal;
    expect([index.indexOf(Math.max(...index)), index.indexOf(Math.min(...index))]).toEqual([2, 7]);
    const part = (value: number) => `${Number((Math.abs(value - 1) * 100).toFixed(1))}%`;
    expect(html).toContain(
      `Usually dearest in March, ${part(index[2]!)} above the level of the year, and cheapest in August, ` +
        `${part(index[7]!)} below it. By the index of the same markets, in 5 years or more.`,
    );
    // The API says the same, at an address that the page leads to.
    const [address] = /PriceSeason\/\?[^"]*/.exec(html)!;
    const season = await listOf(address.replaceAll('&amp;', '&'));
    expect(season).toMatchObject([
      { commodity: 'Millet', of: 'index', years: 5, dearest_month: 3, cheapest_month: 8 },
    ]);
    expect([part(Number(season[0]!.dearest)), part(Number(season[0]!.cheapest))]).toEqual([
      part(index[2]!),
      part(index[7]!),
    ]);
    expect(html).toContain('Millet in Tanzania: by month of the year');
    const rows = tableRows(html, '<h2>Dear and cheap months');
    expect(rows.slice(0, 3)).toEqual([
      ['Jan', ...Array.from({ length: 6 }, () => '200')],
      ['Feb', ...Array.from({ length: 6 }, () => '200')],
      ['Mar', ...Array.from({ length: 6 }, () => '220')],
    ]);
  });

  it('are not told of few years', async () => {
    expect(await page(service, of('Maize (white)'))).toContain(
      'To say which months are usually dear takes four years of prices without a gap.',
    );
  });
});
