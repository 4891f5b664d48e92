import { randomUUID } from 'node:crypto';
import { storeSeries } from '../support/price-fixture.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { BROWSER_ACCEPT, expectSafe, open, page, PAGE_POLICY, tableRows } from './pages.js';

const HOSTILE = '<script>alert(1)</script>"\'&';

describe('the start page', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service.close());

  it('says so where there are no prices', async () => {
    const html = await page(service, '/');
    expect(html).toContain('There are no prices yet.');
    expect(html).not.toContain('<table>');
  });

  it('is HTML where Accept names it, else the index of addresses', async () => {
    for (const accept of ['text/html', BROWSER_ACCEPT, 'text/html, application/json;q=0.9']) {
      const { headers } = await service.http().get('/').set('Accept', accept).expect(200);
      expect([accept, headers['content-type']]).toEqual([accept, 'text/html; charset=utf-8']);
      expect(headers.vary).toContain('Accept');
    }
    for (const accept of ['*/*', 'application/json', 'application/json, text/html']) {
      const { headers } = await service.http().get('/').set('Accept', accept).expect(200);
      expect([accept, headers['content-type']]).toEqual([accept, 'application/json; charset=utf-8']);
    }
    expectProblem(await service.http().get('/').set('Accept', 'image/png'), {
      status: 406,
      code: 'not_acceptable',
    });
  });

  it('lists countries and what came in, and escapes every name', async () => {
    const series = (country: object, date: string) => ({
      uuid: randomUUID(),
      market: country,
      points: { monthly: [[date, 5] as const] },
    });
    await storeSeries(service.unitOfWork, [
      series({ name: 'b', iso3_country_code: 'YEM', country_name: 'اليمن' }, '2024-02-01'),
      series({ name: 'a', iso3_country_code: 'XXX', country_name: HOSTILE }, '2023-01-01'),
      series({ name: 'a2', iso3_country_code: 'XXX', country_name: HOSTILE }, '2023-05-01'),
    ]);
    const html = await page(service, '/');
    expect(tableRows(html, 'Countries')).toEqual([
      ['اليمن', '1', '2024-02-01', '33 months ago', 'too few can be rated'],
      // Nine months behind the other country.
      [
        '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;',
        '2',
        '2023-05-01',
        '42 months ago',
        'old prices',
      ],
    ]);
    expect(html.match(/<tr class="muted">\s*<th scope="row"><a href="[^"]+"/g)).toEqual([
      expect.stringContaining('/countries/XXX'),
    ]);
    expect(html).toContain('Newest prices: February 2024, 33 months ago.');
    expect(html).toContain('<bdi>اليمن</bdi>');
    expect(tableRows(html, 'What came in lately')).toEqual([['2026-11-21 12:00', 'Record', 'Test']]);
  });

  it('is kept in the page cache, revalidated, and made anew after a change', async () => {
    const first = await open(service, '/');
    const again = await open(service, '/').set('If-None-Match', first.headers.etag!);
    expect([again.status, again.headers['content-security-policy']]).toEqual([304, PAGE_POLICY]);
    await storeSeries(service.unitOfWork, [
      { uuid: randomUUID(), market: { name: 'c', iso3_country_code: 'MMR', country_name: 'Myanmar' } },
    ]);
    expect(await page(service, '/')).toContain('Myanmar');
  });

  it('ignores parameters that it does not know, and keeps no copy for them', async () => {
    const plain = await page(service, '/');
    expect(await page(service, '/?utm_source=x&fbclid=1')).toBe(plain);
    await page(service, '/?utm_source=x&fbclid=1');
    expectProblem(await service.http().get('/?utm_source=x'), { status: 400, code: 'invalid' });
  });
});

describe('every page', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service.close());

  it('has one stylesheet of this server, which browsers keep', async () => {
    const html = await page(service, '/');
    const address = /<link rel="stylesheet" href="(\/explorer\/style\.[\w.]+\.css)" \/>/.exec(html)![1]!;
    const { headers, text } = await service.http().get(address).expect(200);
    expect(headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(text).toContain('prefers-color-scheme: dark');
    expect(text).not.toMatch(/url\(|@import/);
    await service.http().get('/explorer/other.css').expect(404);
  });

  it('has scripts of this server, which browsers keep, at addresses that change with each of them', async () => {
    const html = await page(service, '/');
    const addresses = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)" \/>/g)].map(
      ([, address]) => address!,
    );
    expect(new Set(addresses.map((address) => address.split('/')[2])).size).toBe(1);
    expect(html).toContain(`<script type="module" src="${addresses.find((a) => a.endsWith('/main.js'))}"`);
    for (const address of addresses) {
      const { headers, text } = await service.http().get(address).expect(200);
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      const imports = [...text.matchAll(/from ['"]([^'"]+)['"]/g)].map(([, name]) => name!);
      const folder = address.slice(0, address.lastIndexOf('/') + 1);
      expect(addresses).toEqual(expect.arrayContaining(imports.map((name) => name.replace('./', folder))));
    }
    const main = addresses.find((address) => address.endsWith('/main.js'))!;
    for (const other of [
      main.replace('main', 'other'),
      main.replace(/\/[^/]+\/main/, '/0123456789abcdef/main'),
    ])
      await service.http().get(other).expect(404);
  });

  it('has errors as pages where Accept names HTML', async () => {
    for (const [address, status] of [
      ['/nowhere', 404],
      ['/nowhere/%3Cscript%3E?<script>', 404],
      ['/explorer/other.css', 404],
    ] as const) {
      const response = await open(service, address);
      if (address === '/explorer/other.css') {
        expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
        continue;
      }
      expect([response.status, response.headers['content-type']]).toEqual([
        status,
        'text/html; charset=utf-8',
      ]);
      expect(response.headers).toMatchObject({
        'content-security-policy': PAGE_POLICY,
        'cache-control': 'no-store',
      });
      expectSafe(response.text);
      expect(response.text).toContain('This page does not exist');
    }
    const posted = await service.http().post('/').set('Accept', BROWSER_ACCEPT);
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expectSafe(posted.text);
  });

  it('leaves the errors of the API problem details, whatever Accept names', async () => {
    for (const address of [
      '/api/v1/nothing/',
      '/giews/v4/price_module/api/v1/nothing/',
      '/api/v1/PriceSerie/?page=0',
      '/problems/nothing',
      '/health/nothing',
    ]) {
      const { headers } = await open(service, address);
      expect([address, headers['content-type']]).toEqual([
        address,
        'application/problem+json; charset=utf-8',
      ]);
    }
    expectProblem(await service.http().get('/nowhere'), { status: 404, code: 'not_found' });
  });
});

it('EXPLORER=off removes the pages', async () => {
  const service = await startTestApp({ EXPLORER: 'off' });
  const { headers } = await open(service, '/').expect(200);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expectProblem(await open(service, '/nowhere'), { status: 404, code: 'not_found' });
  for (const address of [
    '/explorer/style.css',
    '/browse',
    '/series/x',
    '/series/x.svg',
    '/series/x.png',
    '/embed/series/x',
    '/map.svg',
    '/images/service.preview.png',
    '/commodities/1',
    '/compare',
    '/countries/KEN',
    '/warnings',
    '/data',
    '/help',
    '/help/median',
  ])
    expectProblem(await open(service, address), { status: 404, code: 'not_found' });
  await service.close();
});
