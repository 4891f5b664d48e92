import { jest } from '@jest/globals';
import { OutgoingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Images } from '../../src/web/images/images.js';
import { PngRenderer } from '../../src/web/images/png-renderer.js';
import { listFormats } from '../../src/platform/formats/formats.js';
import { ConcurrencyLimits } from '../../src/platform/http/overload/limits.js';
import { type ErrorPages, Reply } from '../../src/platform/http/reply.js';
import { ReplyWriter } from '../../src/platform/http/reply-writer.js';
import { Redirection } from '../../src/desk/session/redirection.js';
import { DeskBrowser, tokenOf } from '../desk/desk.js';
import { exchangeRaw } from '../support/http.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const UUID = '00000000-0000-4000-8000-000000000001';
const FORMATS = listFormats.map(({ name }) => name);
const PAGES = ['/', '/browse', `/series/${UUID}`, '/countries/KEN', '/warnings', '/data', '/desk/login'];

/** Pages for which somebody has to be signed in. */
const DESK_PAGES = [
  ...[
    '',
    'tables',
    'tables/Commodity',
    'tables/Commodity/1',
    'tables/Commodity/new',
    'tables/Commodity/1/merge',
  ],
  ...['series', `series/${UUID}`, `series/${UUID}/join`, 'findings', 'change-sets', 'change-sets/1'],
  ...['upload', 'accounts', 'accounts/1', 'audit-log', 'nowhere', 'tables/Nothing'],
].map((path) => `/desk/${path}`);

let service: TestApp;
let desk: DeskBrowser;
beforeAll(async () => {
  service = await startTestApp();
  desk = await new DeskBrowser(service).login();
  await storeSeries(service.unitOfWork, [
    {
      uuid: UUID,
      commodity: { name: 'Maize' },
      market: { name: 'Nairobi', iso3_country_code: 'KEN', country_name: 'Kenya' },
      points: { monthly: [['2024-01-01', 40]] },
    },
  ]);
});
afterAll(() => service.close());
afterEach(() => jest.restoreAllMocks());

const port = () => (service.app.getHttpServer().address() as AddressInfo).port;

/**
 * The status of the response that ends an exchange, and 'cut' where the connection was closed
 * without a whole one; then the next request has to be served, and none may be left in work.
 */
async function outcome(path: string, form: string | null = null): Promise<number | 'cut'> {
  const accept = /^\/api|\.(svg|png)$/.test(path) ? '*/*' : 'text/html';
  const cookie = DESK_PAGES.includes(path) || form !== null ? `Cookie: ${desk.cookie}\r\n` : '';
  const body =
    form === null
      ? '\r\n'
      : 'Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
        `Content-Length: ${form.length}\r\n\r\n${form}`;
  const request =
    `${form === null ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\n` +
    `${cookie}Connection: close\r\n${body}`;
  const text = await exchangeRaw(port(), [request]);
  jest.restoreAllMocks();
  const next = await exchangeRaw(port(), [
    'GET /api/v1/Commodity/?page=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  ]);
  expect(next).toMatch(/^HTTP\/1\.1 200 /);
  expect(service.app.get(ConcurrencyLimits).requests.size).toBe(0);
  if (text === '') return 'cut';
  const isWhole = /\r\nContent-Length: /.test(text) || text.endsWith('0\r\n\r\n');
  return isWhole ? Number(text.slice(9, 12)) : 'cut';
}

const fail = (): never => {
  throw new Error('The renderer is broken.');
};

/** Breaks the pages for errors until the end of a test. */
async function withBrokenErrorPages(run: () => Promise<void>): Promise<void> {
  const replies = service.app.get<{ errorPages: ErrorPages }>(ReplyWriter);
  const { errorPages } = replies;
  replies.errorPages = fail;
  try {
    await run();
  } finally {
    replies.errorPages = errorPages;
  }
}

describe('G6: no request stays without an end', () => {
  it.each(['/nowhere', '/desk/nowhere', '/browse?page=0'])(
    'where the page for the error of %s cannot be made',
    (path) =>
      withBrokenErrorPages(async () => {
        const status = await outcome(path);
        expect(status).toBe(path.startsWith('/browse') ? 400 : 404);
      }),
  );

  it.each(PAGES)('where neither the page %s nor that for its error can be made', (path) =>
    withBrokenErrorPages(async () => {
      jest.spyOn(Reply, 'text').mockImplementation(fail);
      expect(await outcome(path)).toBe(500);
    }),
  );

  it.each(DESK_PAGES)(
    'where neither %s nor the page for its error can be made, for who is signed in',
    (path) =>
      withBrokenErrorPages(async () => {
        jest.spyOn(Reply, 'text').mockImplementation(fail);
        const isMissing = path.startsWith('/desk/nowhere') || path === '/desk/tables/Nothing';
        expect(await outcome(path)).toBe(isMissing ? 404 : 500);
      }),
  );

  it.each(DESK_PAGES)('where the headers of %s cannot be written, for who is signed in', async (path) => {
    jest.spyOn(ServerResponse.prototype, 'writeHead').mockImplementation(fail);
    expect(await outcome(path)).toBe('cut');
  });

  it.each([
    ['a form that is not accepted', '/desk/tables/Commodity/new', 'name='],
    ['a form without a valid token', '/desk/tables/Commodity/new', 'form_token=x'],
    ['the login', '/desk/login', 'username=admin'],
  ])('where neither the page of %s nor that for its error can be made', async (_, path, fields) => {
    const token = tokenOf(await desk.page('/desk/'));
    await withBrokenErrorPages(async () => {
      jest.spyOn(Reply, 'text').mockImplementation(fail);
      expect(await outcome(path, fields === 'name=' ? `${fields}&form_token=${token}` : fields)).toBe(500);
    });
  });

  it('where the redirection after a form cannot be sent', async () => {
    const fields = `role=admin&enabled=true&form_token=${tokenOf(await desk.page('/desk/'))}`;
    jest.spyOn(ServerResponse.prototype, 'writeHead').mockImplementation(fail);
    expect(await outcome('/desk/upload/0123456789abcdef0123456789abcdef/remove', fields)).toBe('cut');
  });

  const LISTS = ['Commodity/', 'PriceSerie/', `PriceSeriePrice/${UUID}/`];
  it.each(FORMATS.flatMap((format) => LISTS.map((path) => [format, `/api/v1/${path}?format=${format}`])))(
    'where %s of %s cannot be begun',
    async (name, path) => {
      const format = listFormats.find((one) => one.name === name)!;
      jest.spyOn(format, 'encode').mockImplementation(fail);
      expect(await outcome(path)).toBe(500);
    },
  );

  it.each(FORMATS)('where %s cannot be finished', async (name) => {
    const format = listFormats.find((one) => one.name === name)!;
    jest.spyOn(format, 'encode').mockImplementation(async function* () {
      for (let chunks = 0; chunks < 10; chunks++) yield await Promise.resolve('x'.repeat(10_000));
      fail();
    });
    expect(await outcome(`/api/v1/PriceSeriePrice/${UUID}/?format=${name}`)).toBe('cut');
  });

  it('where a picture cannot be drawn', async () => {
    jest.spyOn(Images.prototype, 'svg').mockImplementation(fail);
    expect(await outcome(`/series/${UUID}.svg`)).toBe(500);
    for (const path of [
      `/series/${UUID}.png`,
      `/series/${UUID}.preview.png`,
      '/images/service.preview.png',
    ]) {
      jest.spyOn(PngRenderer.prototype, 'render').mockRejectedValue(new Error('The renderer is broken.'));
      expect(await outcome(path)).toBe(500);
    }
  });

  it.each([
    '/desk/tables',
    ...PAGES,
    '/nowhere',
    '/api/v1/Commodity/',
    '/openapi.json',
    `/series/${UUID}.svg`,
  ])('where the headers of %s cannot be written', async (path) => {
    jest.spyOn(ServerResponse.prototype, 'writeHead').mockImplementation(fail);
    expect(await outcome(path)).toBe('cut');
  });

  it.each(['/browse', '/api/v1/Commodity/', ...FORMATS.map((name) => `/api/v1/PriceSerie/?format=${name}`)])(
    'where a header of %s is not valid, once it was decided to send it',
    async (path) => {
      const setHeader = Object.getOwnPropertyDescriptor(OutgoingMessage.prototype, 'setHeader')!
        .value as ServerResponse['setHeader'];
      jest.spyOn(ServerResponse.prototype, 'setHeader').mockImplementation(function (
        this: ServerResponse,
        ...of
      ) {
        return of[0] === 'ETag' ? fail() : setHeader.apply(this, of);
      });
      expect(await outcome(path)).toBe(500);
    },
  );

  it('where the redirection of a guard is not valid', async () => {
    Object.defineProperty(Redirection.prototype, 'address', {
      configurable: true,
      get: () => 'a\nb',
      set() {},
    });
    try {
      expect(await outcome('/desk/tables?by=visitor')).toBe(500);
    } finally {
      delete (Redirection.prototype as { address?: string }).address;
    }
  });
});
