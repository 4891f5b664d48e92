import { randomUUID } from 'node:crypto';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSafe, page } from './pages.js';

const HOSTILE = '<script>alert(1)</script>';
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;';

/** 24 months from January 2023 on: the price, and a year later what it has become. */
const monthly = (price: number, later: number, count = 24) => ({
  monthly: Array.from({ length: count }, (_, index): [string, number] => [
    `${2023 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`,
    index < 12 ? price : later,
  ]),
});

/** Places in Kenya. */
const MARKETS = [
  { name: 'Nairobi', latitude: -1.29, longitude: 36.82, points: monthly(50, 80) },
  { name: 'Mombasa', latitude: -4.04, longitude: 39.66, points: monthly(40, 41) },
  { name: HOSTILE, latitude: 3.12, longitude: 35.6, points: monthly(30, 20) },
  { name: 'Garissa', latitude: -0.45, longitude: 39.64, points: monthly(60, 60, 15) },
  {
    name: 'New',
    latitude: 0.5,
    longitude: 36,
    points: { monthly: [['2024-12-01', 70] as [string, number]] },
  },
  { name: 'Placeless', latitude: null, longitude: null, points: monthly(45, 45) },
];

let service: TestApp;
let ids: Record<string, number>;
beforeAll(async () => {
  service = await startTestApp();
  await storeSeries(
    service.unitOfWork,
    MARKETS.map(({ points, ...market }) => ({
      uuid: randomUUID(),
      commodity: { name: 'Maize' },
      market: { ...market, iso3_country_code: 'KEN', country_name: 'Kenya' },
      points,
    })),
  );
  const { body } = await service.http().get('/api/v1/Market/').expect(200);
  ids = Object.fromEntries((body as { id: number; name: string }[]).map(({ id, name }) => [name, id]));
});
afterAll(() => service?.close());

/** The points of each map: where they lead, their name, and the class of their sign. */
const mapsOf = (html: string) =>
  [...html.matchAll(/<figure class="markets">([\s\S]*?)<\/figure>/g)].map(([figure]) => ({
    bytes: Buffer.byteLength(figure),
    points: [
      ...figure.matchAll(/<a href="([^"]+)" aria-label="([^"]+)"><title>\2<\/title><\w+ class="(\w+)"/g),
    ].map(([, ...point]) => point),
    text: /<figcaption[^>]*>([\s\S]*?)<\/figcaption>/.exec(figure)![1]!.trim(),
    legend: [...figure.matchAll(/class="(\w+)"[^>]*\/><\/svg>\s*([^<]+?)\s*<\/li>/g)].map(
      ([, name, text]) => [name, text],
    ),
  }));

describe.each(['/countries/KEN', '/countries/KEN/commodities/1'])('the maps of markets on %s', (address) => {
  it('show price and change of each market, and lead to it', async () => {
    const html = await page(service, address);
    expectSafe(html);
    const of = (name: string) => `/markets/${ids[name]}`;
    const [price, change] = mapsOf(html);
    // Large signs are drawn first.
    expect(price!.points).toEqual([
      [of('Nairobi'), 'Nairobi: 80 (2024-12)', 'share4'],
      [of('New'), 'New: 70 (2024-12)', 'share3'],
      [of('Mombasa'), 'Mombasa: 41 (2024-12)', 'share1'],
      [of(HOSTILE), `${ESCAPED}: 20 (2024-12)`, 'share0'],
      [of('Garissa'), 'Garissa: 60 (2024-03)', 'past'],
    ]);
    expect(price!.legend).toEqual([
      ['share0', '20'],
      ['share1', '41'],
      ['share3', '70'],
      ['share4', '80'],
      ['past', 'older prices'],
    ]);
    expect(price!.text).toMatch(
      /^Maize in Kenya: newest price by market, KES per .*\. 1 market without coordinates/,
    );
    expect(change!.points).toEqual([
      [of(HOSTILE), `${ESCAPED}: -33.3% in the year to 2024-12`, 'fall1'],
      [of('Nairobi'), 'Nairobi: +60% in the year to 2024-12', 'rise1'],
      [of('Mombasa'), 'Mombasa: +2.5% in the year to 2024-12', 'even'],
      [of('Garissa'), 'Garissa: 0% in the year to 2024-03', 'past'],
    ]);
    expect(change!.text).toContain('1 market without a price a year before is not on it.');
    for (const { bytes } of mapsOf(html)) expect(bytes).toBeLessThan(20_000);
    await page(service, of('Nairobi'));
  });
});

it('show at most so many markets that they stay small, the newest first', async () => {
  await storeSeries(
    service.unitOfWork,
    Array.from({ length: 120 }, (_, index) => ({
      uuid: randomUUID(),
      commodity: { name: 'Rice' },
      market: {
        name: `${'long '.repeat(6)}${index}`,
        iso3_country_code: 'UGA',
        country_name: 'Uganda',
        latitude: 0.5 + index / 200,
        longitude: 32 + index / 100,
      },
      currency: 'UGX',
      points: monthly(20 + index, 30 + index, index < 60 ? 24 : 14),
    })),
  );
  const html = await page(service, '/countries/UGA');
  const [price] = mapsOf(html);
  expect(price!.points).toHaveLength(80);
  expect(price!.points.filter(([, , name]) => name === 'past')).toHaveLength(20);
  expect(price!.text).toContain('It shows 80 of 120 markets; the table has all.');
  for (const { bytes } of mapsOf(html)) expect(bytes).toBeLessThan(20_000);
});

it('maps of markets show those across the 180th meridian beside the others', async () => {
  const places = [
    ['Suva', -18.2, 178.44],
    ['Gau', -18.2, 179.3],
    ['Totoya', -18.2, -179.9],
    ['Lakeba', -18.2, -178.8],
  ] as const;
  await storeSeries(
    service.unitOfWork,
    places.map(([name, latitude, longitude]) => ({
      uuid: randomUUID(),
      commodity: { name: 'Taro' },
      market: { name, latitude, longitude, iso3_country_code: 'FJI', country_name: 'Fiji' },
      currency: 'FJD',
      points: monthly(2, 3),
    })),
  );
  const [figure] = /<figure class="markets">[\s\S]*?<\/figure>/.exec(await page(service, '/countries/FJI'))!;
  const across = places.map(([name]) => {
    const [, x] = new RegExp(`<title>${name}: [^<]*</title><\\w+ class="\\w+" (?:cx="|d="M)(\\d+)`).exec(
      figure,
    )!;
    return Number(x);
  });
  expect(across).toEqual(across.toSorted((one, other) => one - other));
  const [suva, , totoya, lakeba] = across as [number, number, number, number];
  expect((totoya - suva) / (lakeba - suva)).toBeCloseTo(1.66 / 2.76, 1);
  expect(lakeba - suva).toBeGreaterThan(100);
});
