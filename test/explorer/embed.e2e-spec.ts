import { randomUUID } from 'node:crypto';
import { storeRates, storeSeries } from '../support/price-fixture.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSafe, open, page, PAGE_POLICY } from './pages.js';

const HOSTILE = `"></iframe></textarea><script>alert(1)</script>${'long '.repeat(30)}`;
const [one, other] = [randomUUID(), randomUUID()];

let service: TestApp;
const ids = new Map<string, number>();
beforeAll(async () => {
  service = await startTestApp();
  const points = { monthly: [['2024-01-01', 5] as const, ['2024-02-01', 6] as const] };
  // In dollars, so that a commodity can be compared across countries.
  await storeRates(
    service.unitOfWork,
    points.monthly.map(([date]) => ['KES', date, 100] as const),
  );
  const market = { iso3_country_code: 'KEN', country_name: 'Kenya' };
  await storeSeries(service.unitOfWork, [
    { uuid: one, commodity: { name: HOSTILE }, market: { name: 'a', ...market }, points },
    { uuid: other, commodity: { name: 'Rice' }, market: { name: 'b', ...market }, points },
    {
      uuid: randomUUID(),
      commodity: { name: 'Goat' },
      market: { name: 'c', iso3_country_code: 'GHA', country_name: 'Ghana' },
    },
  ]);
  const { body } = await service.http().get('/api/v1/PriceSerie/').expect(200);
  for (const { commodity, commodity_id } of (
    body as { results: { commodity: string; commodity_id: number }[] }
  ).results)
    ids.set(commodity, commodity_id);
});
afterAll(() => service.close());

const addresses = () => [
  `/series/${one}?periodicity=monthly&measure=usd`,
  `/compare?uuids=${one}%2C${other}`,
  '/countries/KEN',
  `/commodities/${ids.get(HOSTILE)}`,
];

it('every site may show a chart in a frame, which runs no script and leads to its page', async () => {
  for (const address of addresses()) {
    const { status, headers, text } = await open(service, `/embed${address}`);
    expect([status, headers]).toMatchObject([
      200,
      {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': PAGE_POLICY.replace("frame-ancestors 'none'", 'frame-ancestors *'),
        'cache-control': 'public, no-cache',
        'data-revision': expect.stringMatching(/^\d+$/),
      },
    ]);
    expect(headers).not.toHaveProperty('x-frame-options');
    expectSafe(text);
    expect(text).not.toContain('<script');
    expect([...text.matchAll(/<svg [^>]*class="chart ([\w-]+)"/g)].map(([, name]) => name)).toEqual([
      'embed-narrow',
      'embed-medium',
      'embed-wide',
    ]);
    expect(Buffer.byteLength(text)).toBeLessThan(100_000);
    const [, link] = /<a href="http:\/\/[^/]+(\/[^"]+)" target="_blank" rel="noopener">/.exec(text)!;
    expect(link!.replaceAll('&amp;', '&')).toBe(address);
    const again = await open(service, `/embed${address}`).set('If-None-Match', headers.etag!);
    expect([again.status, again.headers['content-security-policy']]).toEqual([
      304,
      headers['content-security-policy'],
    ]);
  }
});

it('pages offer the code of the frame, whatever their titles have in them', async () => {
  for (const address of addresses()) {
    const html = await page(service, address);
    const code = /<textarea readonly rows="4">([^<]*)<\/textarea>/.exec(html)![1]!;
    const unescaped = (text: string) =>
      text
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
    const frame = unescaped(code);
    expect(frame).toMatch(
      /^<iframe src="[^"<>]+" title="[^"<>]+" width="100%" height="480" loading="lazy" ?><\/iframe>$/,
    );
    const [, path] = /src="http:\/\/[^/]+(\/[^"]+)"/.exec(frame)!;
    expect(unescaped(path!)).toBe(`/embed${address}`);
    expect((await open(service, unescaped(path!))).status).toBe(200);
  }
});

it('frames keep the state of their page', async () => {
  const { headers } = await open(service, '/countries/KEN');
  const query = `?as_of=r${headers['data-revision']}`;
  for (const path of ['/countries/KEN', `/commodities/${ids.get('Rice')}`]) {
    const html = await page(service, path + query);
    expect(html).toContain(`/embed${path}${query}&quot;`);
    const { text } = await open(service, `/embed${path}${query}`);
    expect(text).toMatch(new RegExp(`<link rel="canonical" href="http://[^/]+${path}\\${query}" />`));
  }
  // Codes of countries are written in either case; there is one address.
  expect((await open(service, '/embed/countries/ken')).text).toContain('/countries/KEN" />');
});

it('a page without a chart offers no frame', async () => {
  expect(await page(service, `/commodities/${ids.get('Goat')}`)).not.toContain('<textarea');
});

it('what cannot be shown is an error as of the page', async () => {
  for (const [address, status, code] of [
    [`/embed/series/${randomUUID()}`, 404, 'not_found'],
    ['/embed/series/nothing', 404, 'not_found'],
    ['/embed/browse', 404, 'not_found'],
    ['/embed/countries/XXX', 404, 'not_found'],
    ['/embed/countries/1', 404, 'not_found'],
    ['/embed/countries/KEN?as_of=r99999', 400, 'invalid'],
    ['/embed/commodities/x', 404, 'not_found'],
    ['/embed/commodities/999999', 404, 'not_found'],
    [`/embed/commodities/${ids.get('Goat')}`, 404, 'not_found'],
    [`/embed/commodities/${ids.get('Rice')}?as_of=x`, 400, 'invalid'],
    ['/embed/compare', 400, 'invalid'],
    [`/embed/compare?uuids=${randomUUID()}`, 400, 'invalid'],
    [`/embed/series/${one}?measure=gold`, 400, 'invalid'],
  ] as const) {
    expectProblem(await service.http().get(address), { status, code });
    const { headers } = await open(service, address).expect(status);
    expect(headers['content-security-policy']).toBe(PAGE_POLICY);
  }
});
