import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sendRequest, exchangeRaw, expectRawProblem } from '../support/http.js';
import { type SampleApp, startSampleApp, warmCache } from './sample-app.js';

let sample: SampleApp;
beforeEach(async () => (sample = await startSampleApp()));
afterEach(() => sample.app.close());

const LIST = '/api/v1/List/?page=2&page_size=50';
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendRequest(sample.url, path, { headers, method });
/** Requests an address until the page cache has it; returns the last response. */
const warm = (path: string, headers: Record<string, string> = {}) => warmCache(sample, path, { headers });

/** Headers without those that differ from one response to the next anyway. */
const stable = (headers: object) => ({ ...headers, 'x-request-id': '', date: '' });

describe('admission to the page cache', () => {
  it('is granted when an address is requested for the second time', async () => {
    const states = [];
    for (let times = 0; times < 4; times++) {
      await get(LIST);
      states.push({ calls: sample.store.calls, pages: sample.cache.size });
    }
    expect(states).toEqual([
      { calls: 1, pages: 0 },
      { calls: 2, pages: 1 },
      { calls: 2, pages: 1 },
      { calls: 2, pages: 1 },
    ]);
  });

  it('counts hosts, addresses and formats separately', async () => {
    await get(LIST);
    await get(LIST, { Host: 'prices.example.org' });
    await get('/api/v1/List/?page=3&page_size=50');
    await get(LIST, { Accept: 'text/csv' });
    expect([sample.store.calls, sample.cache.size]).toEqual([4, 0]);
  });

  it('is granted at once to other formats and revisions of a cached address', async () => {
    await warm(LIST);
    await get(LIST, { Accept: 'text/csv' });
    await get(LIST, { Accept: 'text/csv' });
    expect(sample.store.calls).toBe(3);
    sample.store.revision = '2';
    await get(LIST);
    await get(LIST);
    expect(sample.store.calls).toBe(4);
  });

  it('protects a frequent page from the many addresses that are requested once', async () => {
    // Room for about five of these pages.
    const small = await startSampleApp({ limits: { cacheBytes: 20_000 } });
    // A fixed host, so that the filter of the admission sees the same keys in every run.
    const visit = (path: string) => sendRequest(small.url, path, { headers: { Host: 'prices.example.org' } });
    const visitOthers = async () => {
      for (let index = 0; index < 300; index++) await visit(`${LIST}&admin_units=${index}`);
    };
    for (let times = 0; times < 5; times++) await visit(LIST);
    expect(small.store.calls).toBe(2);

    await visitOthers();
    expect([small.store.calls, small.cache.size]).toEqual([302, 1]);
    await visit(LIST);
    expect(small.store.calls).toBe(302);

    // Requested again they are stored, and replace the page that is no longer requested.
    await visitOthers();
    await visit(LIST);
    expect(small.store.calls).toBe(603);
    expect(small.cache.size).toBeGreaterThan(1);
    expect(small.cache.bytes).toBeLessThanOrEqual(20_000);
    await small.app.close();
  });
});

describe('the page cache', () => {
  it('returns the same bytes and headers as the handler, without calling it', async () => {
    const miss = await warm(LIST);
    const hit = await get(LIST);
    expect(sample.store.calls).toBe(2);
    expect(hit.text).toBe(miss.text);
    expect(stable(hit.headers)).toEqual(stable(miss.headers));
    expect(hit.headers['x-request-id']).not.toBe(miss.headers['x-request-id']);
    expect(miss.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(miss.bytes.length),
      'cache-control': 'public, max-age=60, stale-if-error=86400',
      vary: 'Accept, Accept-Encoding',
      etag: expect.stringMatching(/^"[\w.]+"$/),
    });
  });

  it('returns a page only while its data revision is the current one', async () => {
    const { etag } = (await warm(LIST)).headers;
    sample.store.revision = '2';
    expect((await get(LIST)).headers.etag).toBe(etag);
    expect(sample.store.calls).toBe(3);
    sample.store.items[50]!.name = 'renamed';
    sample.store.revision = '3';
    const changed = await get(LIST);
    expect(changed.headers.etag).not.toBe(etag);
    expect(changed.text).toContain('renamed');
    expect((await get(LIST)).text).toBe(changed.text);
    expect(sample.store.calls).toBe(4);
  });

  it('neither stores nor returns anything while the data revision is unknown', async () => {
    sample.store.revision = null;
    for (let times = 0; times < 3; times++) await get(LIST);
    expect([sample.store.calls, sample.cache.size]).toEqual([3, 0]);
    sample.store.revision = '1';
    await warm(LIST);
    await get(LIST);
    expect([sample.store.calls, sample.cache.size]).toEqual([5, 1]);
    sample.store.revision = null;
    await get(LIST);
    expect(sample.store.calls).toBe(6);
  });

  it('distinguishes addresses, formats and hosts', async () => {
    const requests: [string, Record<string, string>?][] = [
      [LIST],
      ['/api/v1/List?page=2&page_size=50'],
      ['/api/v1/List/?page_size=50&page=2'],
      ['/other/prefix/List/?page=2&page_size=50'],
      [LIST, { Accept: 'text/csv' }],
      [`${LIST}&format=csv`],
      [LIST, { Host: 'prices.example.org' }],
    ];
    const misses = [];
    for (const [path, headers] of requests) {
      const { calls } = sample.store;
      misses.push(await get(path, headers));
      expect(sample.store.calls).toBe(calls + 1);
      await get(path, headers);
    }
    const { calls } = sample.store;
    for (const [index, [path, headers]] of requests.entries())
      expect((await get(path, headers)).text).toBe(misses[index]?.text);
    expect(sample.store.calls).toBe(calls);
    // Two of them are formats of one address.
    expect(sample.cache.size).toBe(requests.length - 1);
    expect(misses[6]?.text).toContain('"next":"http://prices.example.org/api/v1/List/?page=3&page_size=50"');
  });

  it('R1: stores pages of a limited number of hosts', async () => {
    for (let index = 0; index < 12; index++) await warm(LIST, { Host: `h${index}.example.org` });
    expect([sample.store.calls, sample.cache.size]).toEqual([24, 8]);
    await get(LIST, { Host: 'h11.example.org' });
    expect(sample.store.calls).toBe(24);
  });

  it('ignores the parameter _, which links do not repeat', async () => {
    const plain = await warm(LIST);
    for (const query of [
      '_=1&page=2&page_size=50',
      'page=2&_=77&page_size=50',
      'page=2&page_size=50&_',
      'page=2&page_size=50&_=',
    ]) {
      expect((await get(`/api/v1/List/?${query}`)).text).toBe(plain.text);
    }
    expect(sample.store.calls).toBe(2);
    expectRawProblem(await get('/api/v1/List/?page=2&page_size=50&x_=1'), 'invalid');
    expect(sample.store.calls).toBe(2);
  });

  it('admits an address that is requested twice with different values of _', async () => {
    for (const value of [1, 2, 3]) await get(`${LIST}&_=${value}`);
    expect([sample.store.calls, sample.cache.size]).toEqual([2, 1]);
  });

  it('does not hide that a value of _ is invalid', async () => {
    await warm(LIST);
    const long = await get(`${LIST}&_=${'x'.repeat(33_000)}`);
    expectRawProblem(long, 'uri_too_long');
    for (const value of ['%zz', '%FF', '%00', '%']) {
      const problem = expectRawProblem(await get(`${LIST}&_=${value}`), 'invalid');
      expect(problem.errors).toMatchObject([{ in: 'query', name: '_', code: 'invalid_encoding' }]);
    }
  });

  it('returns a page with relative dates on the same UTC day only', async () => {
    const path = '/api/v1/List?newerThan=3%20days%20%61go';
    await warm(path);
    await get(path);
    expect(sample.store.calls).toBe(2);
    sample.clock.now += 12 * 3600 * 1000;
    await get(path);
    await get(path);
    expect(sample.store.calls).toBe(3);
    await get('/api/v1/List?newerThan=2024-03-28');
    expect(sample.store.calls).toBe(4);
  });

  it('stores neither errors nor replies of routes without @CacheAreas', async () => {
    for (const path of ['/api/v1/List?page=99', '/api/v1/List?page=0', '/api/v1/Thing/5', '/api/v1/Echo']) {
      await warm(path);
      await get(path);
    }
    expect(sample.cache.size).toBe(0);
  });

  it('leaves requests with a body, an unacceptable Accept or another method to Express', async () => {
    await warm(LIST);
    expectRawProblem(await get(LIST, { Accept: 'text/html' }), 'not_acceptable');
    expect((await sendRequest(sample.url, LIST, { body: 'x' })).status).toBe(200);
    expect(sample.store.calls).toBe(3);
    expect((await sendRequest(sample.url, LIST, { method: 'POST' })).status).toBe(405);
  });

  it('does not exempt its hits from the throttle', async () => {
    let remaining = 3;
    const throttle = {
      take: () => {
        const retryAfter = remaining > 0 ? null : 7;
        remaining = Math.max(0, remaining - 1);
        return { retryAfter, headers: { RateLimit: `"read";r=${remaining};t=7` } };
      },
      add: () => undefined,
    };
    const throttled = await startSampleApp({ throttle });
    const rateLimits = [];
    for (let times = 0; times < 3; times++)
      rateLimits.push((await sendRequest(throttled.url, LIST)).headers.ratelimit);
    expect(rateLimits).toEqual(['"read";r=2;t=7', '"read";r=1;t=7', '"read";r=0;t=7']);
    expectRawProblem(await sendRequest(throttled.url, LIST), 'throttled');
    expect(throttled.store.calls).toBe(2);
    await throttled.app.close();
  });

  it('keeps the order of pipelined requests, hits or not', async () => {
    const host = `127.0.0.1:${sample.port}`;
    await warm(LIST);
    const hit = `GET ${LIST} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const miss = `GET /api/v1/Thing/4 HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const last = 'GET /api/v1/Thing/5 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const text = await exchangeRaw(sample.port, [hit + miss + hit + last]);
    expect(text.match(/HTTP\/1\.1 200 OK|"count":250|\{"id":[45],"name":"item [45]"\}/g)).toEqual([
      'HTTP/1.1 200 OK',
      '"count":250',
      'HTTP/1.1 200 OK',
      '{"id":4,"name":"item 4"}',
      'HTTP/1.1 200 OK',
      '"count":250',
      'HTTP/1.1 200 OK',
      '{"id":5,"name":"item 5"}',
    ]);
    expect(sample.store.calls).toBe(2);
  });
});

describe('entity tags', () => {
  it.each(['miss', 'hit'])('a read with a matching If-None-Match is a 304 on a %s', async (kind) => {
    const full = await warm(LIST);
    const etag = String(full.headers.etag);
    const conditional = (header: string) => {
      if (kind === 'miss') sample.store.revision += '.';
      return get(LIST, { 'If-None-Match': header });
    };
    const matching = [
      etag,
      `W/${etag}`,
      `"x", ${etag}`,
      '*',
      etag.replace(/"$/, '-br"'),
      etag.replace(/"$/, '-gzip"'),
    ];
    for (const header of matching) {
      const response = await conditional(header);
      expect([header, response.status, response.text]).toEqual([header, 304, '']);
      const rest: Record<string, unknown> = stable(full.headers);
      delete rest['content-type'];
      delete rest['content-length'];
      expect(stable(response.headers)).toEqual(rest);
    }
    const others = ['"x"', 'x', etag.slice(1, -1), ''];
    for (const header of others) expect((await conditional(header)).status).toBe(200);
    const misses = kind === 'miss' ? matching.length + others.length : 0;
    expect(sample.store.calls).toBe(2 + misses);
  });

  it('a record has the tag that its handler sets', async () => {
    const response = await get('/api/v1/Thing/5');
    expect(response.headers).toMatchObject({ etag: '"thing-5-1"', 'cache-control': 'public, no-cache' });
    expect((await get('/api/v1/Thing/5', { 'If-None-Match': '"thing-5-1"' })).status).toBe(304);
  });

  it.each([
    ['If-Match', '"thing-5-1"', 200],
    ['If-Match', '"thing-5-1-br"', 200],
    ['If-Match', '"thing-5-1-gzip"', 200],
    ['If-Match', '"a", "thing-5-1"', 200],
    ['If-Match', '*', 200],
    ['If-Match', '"thing-5-0"', 412],
    ['If-Match', 'W/"thing-5-1"', 412],
    ['If-Match', 'thing-5-1', 412],
    ['If-None-Match', '*', 412],
    ['If-None-Match', '"thing-5-1"', 412],
    ['If-None-Match', '"thing-5-0"', 200],
  ])('W3: PUT with %s: %s is %i', async (name, value, status) => {
    const response = await sendRequest(sample.url, '/api/v1/Thing/5', {
      method: 'PUT',
      headers: { Authorization: 'Bearer maintainer', 'Content-Type': 'application/json', [name]: value },
      body: '{"thing_name":"a"}',
    });
    expect(response.status).toBe(status);
    if (status === 412) expectRawProblem(response, 'precondition_failed');
  });

  it('responses that must not be stored have no tag', async () => {
    expect((await get('/health/live')).headers).not.toHaveProperty('etag');
    expect((await get('/api/v1/List?page=99')).headers).not.toHaveProperty('etag');
  });
});

describe('compression', () => {
  it.each([
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['deflate', 'identity'],
    ['br;q=0', 'identity'],
    ['identity', 'identity'],
    ['', 'identity'],
  ])('Accept-Encoding: %s selects %s, on a miss and on hits', async (accepted, selected) => {
    const encoding = selected === 'identity' ? undefined : selected;
    const plain = await warm(LIST);
    sample.store.revision = '2';
    for (let round = 0; round < 3; round++) {
      const response = await get(LIST, { 'Accept-Encoding': accepted });
      expect(response.headers['content-encoding']).toBe(encoding);
      expect(response.headers['content-length']).toBe(String(response.bytes.length));
      const suffix = encoding === undefined ? '"' : `-${encoding}"`;
      expect(response.headers.etag).toBe(String(plain.headers.etag).replace(/"$/, suffix));
      const decode =
        { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes);
      expect(decode(response.bytes).toString()).toBe(plain.text);
      if (encoding !== undefined) expect(response.bytes.length).toBeLessThan(plain.bytes.length / 2);
    }
    expect(sample.store.calls).toBe(3);
  });

  it('of a cached page is done once, without calling the handler', async () => {
    const plain = await warm(LIST);
    const before = sample.cache.bytes;
    const [first, second] = await Promise.all([
      get(LIST, { 'Accept-Encoding': 'br' }),
      get(LIST, { 'Accept-Encoding': 'br' }),
    ]);
    expect(brotliDecompressSync(first.bytes).toString()).toBe(plain.text);
    expect(second.bytes).toEqual(first.bytes);
    expect(sample.store.calls).toBe(2);
    expect(sample.cache.bytes).toBe(before + first.bytes.length);
  });

  it('does not apply to short bodies, errors and 304', async () => {
    const headers = { 'Accept-Encoding': 'br, gzip' };
    for (const path of ['/api/v1/Thing/5', '/api/v1/List?page=0', '/api/v1/page.html']) {
      expect((await get(path, headers)).headers).not.toHaveProperty('content-encoding');
    }
    const { etag } = (await get(LIST, headers)).headers;
    for (let times = 2; times <= 3; times++) {
      const unchanged = await get(LIST, { ...headers, 'If-None-Match': String(etag) });
      expect([unchanged.status, unchanged.headers.etag]).toEqual([304, etag]);
      expect(unchanged.headers).not.toHaveProperty('content-encoding');
    }
    expect(sample.store.calls).toBe(2);
  });
});

describe('HEAD', () => {
  it.each([
    '/api/v1/Thing/5',
    LIST,
    '/health/live',
    '/api/v1/List?page=0',
    '/api/v1/nothing',
    '/api/v1/page.html',
  ])('%s has the headers of GET and no body', async (path) => {
    const full = await get(path);
    // For the list the second one is a miss, the third a hit.
    for (let times = 2; times <= 3; times++) {
      const head = await get(path, {}, 'HEAD');
      expect([head.status, head.text]).toEqual([full.status, '']);
      expect(stable(head.headers)).toEqual(stable(full.headers));
    }
  });

  it('stores its reply in the page cache, and is served from there', async () => {
    await get(LIST, {}, 'HEAD');
    await get(LIST, {}, 'HEAD');
    expect((await get(LIST)).text).toContain('"count":250');
    await get(LIST, {}, 'HEAD');
    expect(sample.store.calls).toBe(2);
  });

  it('with a matching If-None-Match is a 304', async () => {
    const { etag } = (await get(LIST)).headers;
    for (let times = 2; times <= 3; times++)
      expect((await get(LIST, { 'If-None-Match': String(etag) }, 'HEAD')).status).toBe(304);
    expect(sample.store.calls).toBe(2);
  });

  it('does not read a long stream', async () => {
    const head = await get('/api/v1/endless', {}, 'HEAD');
    expect([head.status, head.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(sample.store.stopped).toBe(0);
  });
});
