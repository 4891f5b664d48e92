import { Resvg } from '@resvg/resvg-js';
import { randomUUID } from 'node:crypto';
import { storeRates, storeSeries } from '../support/price-fixture.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { page } from './pages.js';

const HOSTILE = '<script>alert(1)</script>"\'&';
/** In this order: the first series of a country stands for its commodity. */
const UUIDS = {
  maize: '00000000-0000-4000-8000-000000000001',
  other: '00000000-0000-4000-8000-000000000002',
  arabic: '00000000-0000-4000-8000-000000000003',
  empty: '00000000-0000-4000-8000-000000000004',
};
const NONE = '00000000-0000-4000-8000-000000000000';
const months = Array.from(
  { length: 24 },
  (_, index) =>
    [`${2023 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`, 40 + index] as const,
);

let service: TestApp;
let maizeId: number;
let sorghumId: number;
beforeAll(async () => {
  service = await startTestApp();
  const kenya = (name: string) => ({ name, iso3_country_code: 'KEN', country_name: 'Kenya' });
  await storeSeries(service.unitOfWork, [
    {
      uuid: UUIDS.maize,
      commodity: { name: 'Maize' },
      market: kenya('Nairobi'),
      points: { monthly: months },
    },
    { uuid: UUIDS.other, commodity: { name: 'Maize' }, market: kenya('Busia'), points: { monthly: months } },
    {
      uuid: UUIDS.arabic,
      commodity: { name: `أرز ${HOSTILE}` },
      market: { name: 'سوق', iso3_country_code: 'YEM', country_name: 'اليمن' },
      unit: { name: 'Head', dimension: 'other', conversion_factor: null },
      points: { monthly: months },
    },
    {
      uuid: UUIDS.empty,
      commodity: { name: 'Beans' },
      market: { name: 'Accra', iso3_country_code: 'GHA', country_name: 'Ghana' },
    },
    {
      uuid: randomUUID(),
      commodity: { name: 'Sorghum' },
      market: { name: 'Arusha', iso3_country_code: 'TZA', country_name: 'Tanzania' },
      currency: 'TZS',
      points: { monthly: months },
    },
  ]);
  await storeRates(
    service.unitOfWork,
    months.map(([date]) => ['TZS', date, 2500] as const),
  );
  const idOf = async (name: string) => {
    const { body } = await service.http().get(`/api/v1/Commodity/?name=${name}`).expect(200);
    return (body as { id: number }[])[0]!.id;
  };
  maizeId = await idOf('Maize');
  sorghumId = await idOf('Sorghum');
});
afterAll(() => service.close());

const get = async (address: string) => {
  const { status, headers, body } = await service.http().get(address);
  return { status, headers: headers as Record<string, string>, bytes: body as Buffer };
};

/** Width and height of a PNG. */
const sizeOf = (png: Buffer) => {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
};

/** Pages with a chart, with the title in it, the source and date, and the names of its files. */
const charts = () => [
  {
    page: `/series/${UUIDS.maize}`,
    texts: [
      'Maize, Nairobi, Kenya (retail)',
      'KES per Kg',
      /Source: Ministry, to 2024-12-01\. Revision \d+\./,
    ],
    name: 'Maize-Nairobi-Kenya-retail',
  },
  {
    page: '/compare',
    query: `?uuids=${UUIDS.maize},${UUIDS.other}`,
    texts: [
      'Maize in Nairobi and Busia, Kenya (retail)',
      'KES per Kg',
      /Source: Ministry, to 2024-12-01\. Revision \d+\./,
    ],
    name: 'Maize-in-Nairobi-and-Busia-Kenya-retail',
  },
  {
    page: '/countries/KEN',
    texts: [
      'Maize in Kenya: median price',
      'KES per kg',
      /Calculated from the prices of all sources\. Revision \d+\./,
    ],
    name: 'Maize-in-Kenya-median-price',
  },
  {
    page: `/countries/KEN/commodities/${maizeId}`,
    texts: [
      'Maize in Kenya: median of retail prices',
      'KES per kg',
      /Calculated from the prices of all sources\. Revision \d+\./,
    ],
    name: 'Maize-in-Kenya-median-of-retail-prices',
  },
  {
    page: `/commodities/${sorghumId}`,
    texts: [
      'Sorghum, Tanzania',
      'US$ per kg, median of retail prices',
      /Calculated from the prices of all sources\. Revision \d+\./,
    ],
    name: 'Sorghum-Tanzania',
  },
];

it('every page with a chart has it as SVG, PNG and preview at its address', async () => {
  for (const { page: path, query = '', texts, name } of charts()) {
    const svg = await get(`${path}.svg${query}`);
    expect([svg.status, svg.headers]).toMatchObject([
      200,
      {
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': 'public, no-cache',
        'cross-origin-resource-policy': 'cross-origin',
        'data-revision': expect.stringMatching(/^\d+$/),
      },
    ]);
    const drawing = svg.bytes.toString();
    expect(drawing).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(drawing).toMatch(/<title[^>]*>[^<]+<\/title><desc[^>]*>[^<]+<\/desc>/);
    expect(drawing).not.toMatch(/<script|style=|href=|url\(/);
    for (const text of texts)
      expect(drawing).toMatch(
        text instanceof RegExp ? text : new RegExp(`>${text.replace(/[$()]/g, '\\$&')}</text>`),
      );
    const { width, height } = new Resvg(drawing);
    const png = await get(`${path}.png${query}`);
    expect([png.status, png.headers['content-type'], sizeOf(png.bytes)]).toEqual([
      200,
      'image/png',
      [2 * width, 2 * height],
    ]);
    const preview = await get(`${path}.preview.png${query}`);
    expect([preview.status, sizeOf(preview.bytes)]).toEqual([200, [1200, 630]]);
    for (const [{ headers }, extension] of [
      [svg, 'svg'],
      [png, 'png'],
    ] as const) {
      const [, saved] = /^inline; filename="([^"]+)"/.exec(headers['content-disposition']!)!;
      expect([path, saved!.replace(`.${extension}`, '')]).toEqual([path, name]);
    }
  }
});

it('names in any script are escaped, drawn and saved', async () => {
  const { headers, bytes } = await get(`/series/${UUIDS.arabic}.svg`);
  expect(bytes.toString()).toContain('أرز &lt;script&gt;');
  expect(new Resvg(bytes.toString()).width).toBe(880);
  expect(headers['content-disposition']).toBe(
    `inline; filename="script-alert-1-script-retail.svg"; filename*=UTF-8''${encodeURIComponent('أرز-script-alert-1-script-سوق-اليمن-retail')}.svg`,
  );
  const png = await get(`/series/${UUIDS.arabic}.png`);
  expect([png.status, sizeOf(png.bytes)[0]]).toEqual([200, 1760]);
});

it('pages link to their pictures, for people and for previews of links', async () => {
  for (const { page: path, query = '' } of charts()) {
    const html = await page(service, path + query);
    const files = [...html.matchAll(/<a href="([^"]+\.(?:svg|png)[^"]*)" rel="nofollow" download>/g)].map(
      ([, address]) => address!.replaceAll('&amp;', '&'),
    );
    expect(files.map((address) => address.slice(0, path.length + 4))).toEqual(
      ['.svg', '.png', '.png', '.png'].map((suffix) => path + suffix),
    );
    expect(files.map((address) => /theme=\w+|width=\d+/.exec(address)?.[0])).toEqual([
      undefined,
      undefined,
      'theme=dark',
      'width=360',
    ]);
    for (const address of files) expect([address, (await get(address)).status]).toEqual([address, 200]);
    const image = /<meta property="og:image" content="http:\/\/[^/]+(\/[^"]+)"/.exec(html)![1]!;
    const preview = await get(image.replaceAll('&amp;', '&'));
    expect([image, preview.status, sizeOf(preview.bytes)]).toEqual([
      expect.stringContaining(`${path}.preview.png`),
      200,
      [1200, 630],
    ]);
    for (const tag of [
      'og:image:width" content="1200"',
      'og:image:height" content="630"',
      'og:image:alt" content="',
    ])
      expect(html).toContain(`<meta property="${tag}`);
  }
  const html = await page(service, '/browse');
  expect(html).toMatch(/<meta property="og:image" content="http:\/\/[^/]+\/images\/service\.preview\.png"/);
  expect(sizeOf((await get('/images/service.preview.png')).bytes)).toEqual([1200, 630]);
});

it('files say whose they are and where from, at any width and on either ground', async () => {
  for (const { page: path, query = '', texts } of charts()) {
    const separator = query === '' ? '?' : '&';
    for (const [width, theme, ground] of [
      [320, 'dark', '#14181d'],
      [1200, 'light', '#ffffff'],
    ] as const) {
      const { bytes } = await get(`${path}.svg${query}${separator}width=${width}&theme=${theme}`);
      const svg = bytes.toString();
      expect(new Resvg(svg).width).toBe(width);
      expect(svg).toContain(`<rect class="ground" width="${width}"`);
      expect(/fill="(#\w+)"\/>/.exec(svg)![1]).toBe(ground);
      const rows = [...svg.matchAll(/<text [^>]*>([^<]*)/g)].map(([, row]) => row!);
      // A long address is continued on the next row.
      const said = rows.join(' ').replaceAll('&amp;', '&');
      for (const text of texts)
        expect(said).toMatch(typeof text === 'string' ? text.slice(0, 20) : 'Revision');
      expect(said).toContain('Licence: not known. Price Data Service: http://127.0.0.1');
      expect(rows.join('').replaceAll('&amp;', '&')).toContain(path + query.slice(0, 40));
    }
    const png = await get(`${path}.png${query}${separator}width=1200`);
    expect(sizeOf(png.bytes)[0]).toBe(1760);
    expect(sizeOf((await get(`${path}.png${query}${separator}width=320`)).bytes)[0]).toBe(640);
  }
  for (const [parameter, code] of [
    ['width=319', 'out_of_range'],
    ['width=1201', 'out_of_range'],
    ['theme=sepia', 'invalid_choice'],
  ] as const) {
    const { body } = await service.http().get(`/series/${UUIDS.maize}.png?${parameter}`).expect(400);
    expect((body as { errors: object[] }).errors).toMatchObject([{ code }]);
  }
});

it('pictures are kept like pages, and made anew after a change', async () => {
  const address = `/series/${UUIDS.empty}.png`;
  const first = await get(address);
  const again = await service.http().get(address).set('If-None-Match', first.headers.etag!);
  expect([again.status, again.headers['cross-origin-resource-policy']]).toEqual([304, 'cross-origin']);
  const repeated = await get(address);
  expect([repeated.headers.etag, repeated.bytes.equals(first.bytes)]).toEqual([first.headers.etag, true]);
  await storeSeries(service.unitOfWork, [
    { uuid: randomUUID(), market: { name: 'New', iso3_country_code: 'KEN' } },
  ]);
  // The revision stands in the picture.
  expect((await get(address)).headers.etag).not.toBe(first.headers.etag);
});

it('what has no chart, and what cannot be understood, is said in a problem', async () => {
  for (const address of [
    `/series/${NONE}.png`,
    `/series/nothing.svg`,
    '/countries/XXX.png',
    '/countries/1.svg',
    '/commodities/999999999.png',
    '/commodities/a.preview.png',
    '/images/nothing.png',
  ])
    expectProblem(await service.http().get(address), { status: 404, code: 'not_found' });
  for (const suffix of ['.svg', '.png', '.preview.png']) {
    expectProblem(await service.http().get(`/commodities/${maizeId}${suffix}`), {
      status: 404,
      code: 'not_found',
    });
    expectProblem(await service.http().get(`/compare${suffix}`), { status: 400, code: 'invalid' });
    expectProblem(await service.http().get(`/compare${suffix}?uuids=${UUIDS.maize},${UUIDS.arabic}`), {
      status: 404,
      code: 'not_found',
    });
    const { body } = await service.http().get(`/series/${UUIDS.maize}${suffix}?measure=gold`).expect(400);
    expect((body as { errors: object[] }).errors).toMatchObject([
      { in: 'query', name: 'measure', allowed: ['nominal', 'real', 'usd'] },
    ]);
  }
});
