import { randomUUID } from 'node:crypto';
import { storePoints, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { open, page, tableRows } from './pages.js';

const HOSTILE = '<script>alert(1)</script>"\'&';
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;';

/** Prices of June 2023, of May and June 2024. */
const points = (before: number, month: number, now: number) => ({
  monthly: [
    ['2023-06-01', before],
    ['2024-05-01', month],
    ['2024-06-01', now],
  ] as [string, number][],
});
const market = (name: string, place: object = {}) => ({
  name,
  iso3_country_code: 'KEN',
  country_name: 'Kenya',
  admin_unit: 'Coast',
  ...place,
});
const nairobi = market('Nairobi', { latitude: -1.2864, longitude: 36.8172, admin_unit: '' });
const rice = randomUUID();

let service: TestApp;
let seriesIds: Map<string, number>;
let ids: Record<string, number>;
beforeAll(async () => {
  service = await startTestApp();
  const series = (commodity: string, of: ReturnType<typeof market>, prices: ReturnType<typeof points>) => ({
    uuid: commodity === 'Rice' ? rice : randomUUID(),
    commodity: { name: commodity },
    market: of,
    points: prices,
  });
  seriesIds = await storeSeries(service.unitOfWork, [
    series('Rice', nairobi, points(100, 110, 121)),
    series('Maize', nairobi, points(50, 40, 40)),
    { ...series('Beans', nairobi, points(1, 2, 3)), points: { monthly: [['2020-01-01', 70]] } },
    series('Wage (casual labour)', nairobi, points(500, 500, 500)),
    {
      ...series(HOSTILE, nairobi, points(9, 9, 9)),
      unit: { name: 'Heap', dimension: 'other', conversion_factor: null },
    },
    series('Maize', market('Mombasa', { latitude: -4.0547, longitude: 39.6636 }), points(1, 1, 1)),
    series('Maize', market('Thika', { latitude: -1.0333, longitude: 37.0693 }), points(1, 1, 1)),
    series('Maize', market(HOSTILE), points(1, 1, 1)),
    series('Maize', market('Lamu'), points(1, 1, 1)),
    series('Maize', market('Average', { regional_average: true }), points(3, 3, 6)),
  ]);
  const { body } = await service.http().get('/api/v1/Market/?page_size=100').expect(200);
  ids = Object.fromEntries(
    (body as { results: { id: number; name: string }[] }).results.map(({ id, name }) => [name, id]),
  );
});
afterAll(() => service.close());

const of = (name: string, query = '') => `/markets/${ids[name]}${query}`;

describe('the page of a market', () => {
  it('says what each commodity costs and how much that has changed, as the API does', async () => {
    const html = await page(service, of('Nairobi'));
    expect(html).toContain('<h1><bdi>Nairobi</bdi>, <bdi>Kenya</bdi></h1>');
    expect(html).toContain('<strong>Newest prices: June 2024, 29 months ago.</strong>');
    expect(html).toContain(
      'Of 3 foods with a price since April 2024 and one a year before, 1 costs more than then.',
    );
    const rows = (heading: string) =>
      tableRows(html, heading).map((cells) => cells.filter((_, index) => index !== 6));
    expect(rows('<h2>What food costs')).toEqual([
      [ESCAPED, '9', '0%', '0%', 'KES per Heap, retail', '2024-06'],
      ['Beans', '70', '–', '–', 'KES per kg, retail', '2020-01'],
      ['Maize', '40', '-20%', '0%', 'KES per kg, retail', '2024-06'],
      ['Rice', '121', '+21%', '+10%', 'KES per kg, retail', '2024-06'],
    ]);
    expect(rows('What is no food (1)')).toEqual([
      ['Wage (casual labour)', '500', '0%', '0%', 'KES per kg, retail', '2024-06'],
    ]);
    const address = `/api/v1/PriceChange/?market_ids=${ids.Nairobi}&by=commodity&min_matched=1`;
    const { body } = await service.http().get(address).expect(200);
    expect((body as { results: object[] }).results).toMatchObject([
      { commodity: 'Beans', median: 70, change_12m: null },
      { commodity: 'Maize', median: 40, change_1m: 0, change_12m: expect.closeTo(-0.2, 12) },
      {
        commodity: 'Rice',
        median: 121,
        change_1m: expect.closeTo(0.1, 12),
        change_12m: expect.closeTo(0.21, 12),
      },
    ]);
    expect(html).toMatch(/<tr class="muted">\s*<th scope="row"><a [^>]*><bdi>Beans/);
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('leads to near markets, and without a place to those of its region', async () => {
    expect(tableRows(await page(service, of('Nairobi')), '<h2>Near markets')).toEqual([
      ['Thika', '40'],
      ['Mombasa', '441'],
    ]);
    const lamu = await page(service, of('Lamu'));
    const others = lamu.slice(lamu.indexOf('Other markets of Coast'));
    expect(
      [...others.matchAll(/<li><a href="\/markets\/\d+"><bdi>([^<]*)/g)].map(([, name]) => name),
    ).toEqual([ESCAPED, 'Mombasa', 'Thika']);
    expect(lamu).not.toContain('>Average<');
  });

  it('says that averages are none of a market', async () => {
    const html = await page(service, of('Average'));
    expect(html).toContain('These are averages of a country or region.');
    expect(html).toContain(
      'Its one food with a price since April 2024 and one a year before costs more than then.',
    );
    expect(html).not.toContain('Near markets');
  });

  it('has its prices as files, and shows and cites a state', async () => {
    const html = await page(service, of('Nairobi'));
    const files = [...html.matchAll(/href="(\/api\/v1\/[^"]*format=csv[^"]*)"/g)].map(([, address]) =>
      address!.replaceAll('&amp;', '&'),
    );
    expect(files).toHaveLength(4);
    expect(files[3]).toContain('per=unit');
    for (const file of files) await service.http().get(file).expect(200);
    const { text } = await service.http().get(files[0]!).expect(200);
    expect(text.trim().split('\r\n')).toHaveLength(1 + 4 * 3 + 1);
    const revision = /as_of=r(\d+)/.exec(html)![1]!;
    await storePoints(service.unitOfWork, seriesIds.get(rice)!, { monthly: [['2024-06-01', 242]] });
    expect(await page(service, of('Nairobi'))).toContain('<data value="242">');
    const before = await page(service, of('Nairobi', `?as_of=r${revision}`));
    expect(before).toContain('<data value="121">');
    expect(before).toContain(`?as_of=r${revision}">`);
  });

  it('is reached from the page of its country', async () => {
    expect(await page(service, '/countries/KEN')).toContain(`href="${of('Nairobi')}"`);
  });

  it('is not there for what has no prices', async () => {
    for (const address of ['/markets/0', '/markets/x', '/markets/99999'])
      await open(service, address).expect(404);
    await open(service, of('Nairobi', '?as_of=r99999')).expect(400);
  });
});
