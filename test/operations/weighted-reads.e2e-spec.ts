import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { storeSeries, type PointLine } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const SERIES = 4;
const POINTS = 2500;
const uuidOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const QUOTA = 6000;

describe('R3: reads are weighted', () => {
  let service: TestApp;
  let used: number;
  beforeAll(async () => {
    service = await startTestApp({ THROTTLE_READS: String(QUOTA) });
    const daily = Array.from({ length: POINTS }, (_, at): PointLine => [isoFromDay(730_000 + at), 1]);
    const series = Array.from({ length: SERIES }, (_, index) => ({
      uuid: uuidOf(index),
      points: { daily },
    }));
    await storeSeries(service.unitOfWork, series);
    used = 0;
  });
  afterAll(() => service.close());

  /** Sends a request, and returns the body as it is before compression. */
  async function read(path: string, method = 'GET', headers: Record<string, string> = {}) {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const request = httpGet({ port, path: `/api/v1/${path}`, method, headers });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    return { response, body: response.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body };
  }

  /** What the reads since the last call have cost, besides the request that asks for it. */
  async function cost(): Promise<number> {
    const { response } = await read('PriceType/');
    expect(response.statusCode).toBe(200);
    const left = Number(/^"read";r=(\d+);t=\d+$/.exec(String(response.headers.ratelimit))?.[1]);
    const before = used;
    used = QUOTA - left;
    return used - before - 1;
  }

  it('a short one is one unit', async () => {
    await cost();
    await read('Commodity/');
    await read('PriceSerie/');
    expect(await cost()).toBe(2);
  });

  it.each([
    ['a stream', 'PriceSeriePrice/?format=csv'],
    ['a compressed stream', 'PriceSeriePrice/?format=csv&periodicity=daily'],
    ['a page', 'PriceSeriePrice/?page_size=3'],
    ['one series', `PriceSeriePrice/${uuidOf(1)}/`],
    ['NDJSON', 'PriceSeriePrice/?format=ndjson'],
  ])('%s costs a unit more for each 100 kB, which is more than each 1000 points', async (name, path) => {
    const headers: Record<string, string> = name.includes('compressed') ? { 'Accept-Encoding': 'gzip' } : {};
    await cost();
    // The second and third reply may come from the page cache.
    for (let times = 0; times < 3; times++) {
      const { response, body } = await read(path, 'GET', headers);
      expect([response.statusCode, response.headers['content-encoding']]).toEqual([
        200,
        name.includes('compressed') ? 'gzip' : undefined,
      ]);
      const points = body
        .toString()
        .match(/\d{4}-\d\d-\d\d[",]+(periodicity":")?(daily|weekly|monthly)/g)!.length;
      expect(points).toBeGreaterThanOrEqual(POINTS);
      const expected = 1 + Math.floor(body.length / 100_000);
      expect(expected).toBeGreaterThan(1 + Math.floor(points / 1000));
      expect(await cost()).toBe(expected);
    }
  });

  it('a reply without a body is one unit', async () => {
    const path = 'PriceSeriePrice/?format=csv&start_date=2000-01-01';
    await cost();
    const { response } = await read(path, 'HEAD');
    expect(await cost()).toBe(1);
    for (let times = 0; times < 3; times++) {
      const { response: cached } = await read(path, 'GET', {
        'If-None-Match': String(response.headers.etag),
      });
      expect(cached.statusCode).toBe(304);
      expect(await cost()).toBe(1);
      if (times === 0) {
        for (let warm = 0; warm < 2; warm++) await read(path);
        await cost();
      }
    }
  });

  it('one that costs more than is left is sent whole, and the next one is 429', async () => {
    const limited = await startTestApp({ THROTTLE_READS: '3' });
    const daily = Array.from({ length: POINTS }, (_, at): PointLine => [isoFromDay(730_000 + at), 1]);
    await storeSeries(limited.unitOfWork, [{ uuid: uuidOf(1), points: { daily } }]);
    const { text } = await limited.http().get('/api/v1/PriceSeriePrice/?format=ndjson').expect(200);
    expect(text.length).toBeGreaterThan(400_000);
    const { headers } = await limited.http().get('/api/v1/PriceType/').expect(429);
    expect(headers.ratelimit).toMatch(/^"read";r=0;t=\d+$/);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(
      Number(/t=(\d+)/.exec(headers.ratelimit!)![1]),
    );
    await limited.close();
  });
});
