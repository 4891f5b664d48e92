import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sendRequest, exchangeRaw, expectRawProblem } from '../support/http.js';
import { type SampleApp, startSample } from './sample-app.js';

let sample: SampleApp;
beforeEach(async () => (sample = await startSample()));
afterEach(() => sample.app.close());

const LIST = '/api/v1/List/?page=2&page_size=50';
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendRequest(sample.url, path, { headers, method });

/** What differs from one answer to the next by itself. */
const stable = (headers: object) => ({ ...headers, 'x-request-id': '', date: '' });

describe('the page cache', () => {
  it('answers a repeated read with the same bytes and headers, without the handler', async () => {
    const miss = await get(LIST);
    const hit = await get(LIST);
    expect(sample.store.calls).toBe(1);
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

  it('forgets nothing and serves nothing old: the revision decides', async () => {
    const { etag } = (await get(LIST)).headers;
    sample.store.revision = '2';
    expect((await get(LIST)).headers.etag).toBe(etag);
    expect(sample.store.calls).toBe(2);
    sample.store.items[50]!.name = 'renamed';
    sample.store.revision = '3';
    const changed = await get(LIST);
    expect(changed.headers.etag).not.toBe(etag);
    expect(changed.text).toContain('renamed');
    expect((await get(LIST)).text).toBe(changed.text);
    expect(sample.store.calls).toBe(3);
  });

  it('keeps nothing while the revision is not known', async () => {
    sample.store.revision = null;
    await get(LIST);
    await get(LIST);
    sample.store.revision = '1';
    await get(LIST);
    expect(sample.store.calls).toBe(3);
    sample.store.revision = null;
    await get(LIST);
    expect(sample.store.calls).toBe(4);
  });

  it('tells addresses, formats and hosts apart', async () => {
    const asked: [string, Record<string, string>?][] = [
      [LIST],
      ['/api/v1/List?page=2&page_size=50'],
      ['/api/v1/List/?page_size=50&page=2'],
      ['/other/prefix/List/?page=2&page_size=50'],
      [LIST, { Accept: 'text/csv' }],
      [`${LIST}&format=csv`],
      [LIST, { Host: 'prices.example.org' }],
    ];
    const misses = [];
    for (const [path, headers] of asked) misses.push(await get(path, headers));
    expect(sample.store.calls).toBe(asked.length);
    for (const [index, [path, headers]] of asked.entries())
      expect((await get(path, headers)).text).toBe(misses[index]?.text);
    expect(sample.store.calls).toBe(asked.length);
    expect(misses[6]?.text).toContain('"next":"http://prices.example.org/api/v1/List/?page=3&page_size=50"');
  });

  it('leaves _ out, from the address and from links', async () => {
    const plain = await get(LIST);
    for (const query of [
      '_=1&page=2&page_size=50',
      'page=2&_=77&page_size=50',
      'page=2&page_size=50&_',
      'page=2&page_size=50&_=',
    ]) {
      expect((await get(`/api/v1/List/?${query}`)).text).toBe(plain.text);
    }
    expect(sample.store.calls).toBe(1);
    await get('/api/v1/List/?page=2&page_size=50&x_=1');
    expect(sample.store.calls).toBe(1);
  });

  it('refuses a _ that is refused when nothing is kept', async () => {
    await get(LIST);
    const long = await get(`${LIST}&_=${'x'.repeat(33_000)}`);
    expectRawProblem(long, 'uri_too_long');
    for (const value of ['%zz', '%FF', '%00', '%']) {
      const problem = expectRawProblem(await get(`${LIST}&_=${value}`), 'invalid');
      expect(problem.errors).toMatchObject([{ in: 'query', name: '_', code: 'invalid_encoding' }]);
    }
  });

  it('keeps what hangs on today for today only', async () => {
    const path = '/api/v1/List?newerThan=3%20days%20%61go';
    await get(path);
    await get(path);
    expect(sample.store.calls).toBe(1);
    sample.clock.now += 12 * 3600 * 1000;
    await get(path);
    await get(path);
    expect(sample.store.calls).toBe(2);
    await get('/api/v1/List?newerThan=2024-03-28');
    expect(sample.store.calls).toBe(3);
  });

  it('keeps no refusals, and no answers of routes that did not ask for it', async () => {
    for (const path of ['/api/v1/List?page=99', '/api/v1/List?page=0', '/api/v1/Thing/5', '/api/v1/Echo']) {
      await get(path);
      await get(path);
    }
    expect(sample.door.cache.pages).toBe(0);
  });

  it('looks at Accept and at bodies before it answers', async () => {
    await get(LIST);
    expectRawProblem(await get(LIST, { Accept: 'text/html' }), 'not_acceptable');
    expect((await sendRequest(sample.url, LIST, { body: 'x' })).status).toBe(200);
    expect((await sendRequest(sample.url, LIST, { method: 'POST' })).status).toBe(405);
  });

  it('is asked for a limited number of hosts', async () => {
    for (let index = 0; index < 12; index++) await get(LIST, { Host: `h${index}.example.org` });
    expect(sample.door.cache.pages).toBe(8);
  });

  it('answers pipelined requests in their order', async () => {
    await get(LIST);
    const one = `GET ${LIST} HTTP/1.1\r\nHost: 127.0.0.1:${sample.port}\r\n\r\n`;
    const two = 'GET /api/v1/Thing/5 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const text = await exchangeRaw(sample.port, [one + one + two]);
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    expect(text.endsWith('{"id":5,"name":"item 5"}')).toBe(true);
  });
});

describe('entity tags', () => {
  it.each(['first', 'second'])('a read with the tag of before is 304, on the %s try', async (which) => {
    if (which === 'second') await get(LIST);
    const full = await get(LIST);
    const etag = String(full.headers.etag);
    if (which === 'first') sample.store.revision = '2';
    for (const header of [
      etag,
      `W/${etag}`,
      `"x", ${etag}`,
      '*',
      etag.replace(/"$/, '-br"'),
      etag.replace(/"$/, '-gzip"'),
    ]) {
      const answer = await get(LIST, { 'If-None-Match': header });
      expect([header, answer.status, answer.text]).toEqual([header, 304, '']);
      const rest: Record<string, unknown> = stable(full.headers);
      delete rest['content-type'];
      delete rest['content-length'];
      expect(stable(answer.headers)).toEqual(rest);
    }
    for (const header of ['"x"', 'x', etag.slice(1, -1), '']) {
      expect((await get(LIST, { 'If-None-Match': header })).status).toBe(200);
    }
  });

  it('a record has the tag its handler gives it', async () => {
    const answer = await get('/api/v1/Thing/5');
    expect(answer.headers).toMatchObject({ etag: '"thing-5-1"', 'cache-control': 'public, no-cache' });
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
    const answer = await sendRequest(sample.url, '/api/v1/Thing/5', {
      method: 'PUT',
      headers: { Authorization: 'Bearer maintainer', 'Content-Type': 'application/json', [name]: value },
      body: '{"thing_name":"a"}',
    });
    expect(answer.status).toBe(status);
    if (status === 412) expectRawProblem(answer, 'precondition_failed');
  });

  it('what may not be kept has no tag', async () => {
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
    ['deflate', undefined],
    ['br;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('Accept-Encoding: %s gives %s, on a miss and on hits', async (accepted, encoding) => {
    const plain = await get(LIST);
    sample.store.revision = '2';
    for (let round = 0; round < 3; round++) {
      const answer = await get(LIST, { 'Accept-Encoding': accepted });
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
      const suffix = encoding === undefined ? '"' : `-${encoding}"`;
      expect(answer.headers.etag).toBe(String(plain.headers.etag).replace(/"$/, suffix));
      const unpack =
        { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes);
      expect(unpack(answer.bytes).toString()).toBe(plain.text);
      if (encoding !== undefined) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2);
    }
    expect(sample.store.calls).toBe(2);
  });

  it('the compressed form is made of a plain one that is kept already', async () => {
    const plain = await get(LIST);
    const before = sample.door.cache.bytes;
    const [one, two] = await Promise.all([
      get(LIST, { 'Accept-Encoding': 'br' }),
      get(LIST, { 'Accept-Encoding': 'br' }),
    ]);
    expect(brotliDecompressSync(one!.bytes).toString()).toBe(plain.text);
    expect(two!.bytes).toEqual(one!.bytes);
    expect(sample.store.calls).toBe(1);
    expect(sample.door.cache.bytes).toBe(before + one!.bytes.length);
  });

  it('short bodies, refusals and 304 are not compressed', async () => {
    const headers = { 'Accept-Encoding': 'br, gzip' };
    for (const path of ['/api/v1/Thing/5', '/api/v1/List?page=0', '/api/v1/page.html']) {
      expect((await get(path, headers)).headers).not.toHaveProperty('content-encoding');
    }
    const { etag } = (await get(LIST, headers)).headers;
    const unchanged = await get(LIST, { ...headers, 'If-None-Match': String(etag) });
    expect([unchanged.status, unchanged.headers.etag]).toEqual([304, etag]);
    expect(unchanged.headers).not.toHaveProperty('content-encoding');
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
    for (let round = 0; round < 2; round++) {
      const head = await get(path, {}, 'HEAD');
      expect([head.status, head.text]).toEqual([full.status, '']);
      expect(stable(head.headers)).toEqual(stable(full.headers));
    }
  });

  it('fills the cache, and is answered from it', async () => {
    await get(LIST, {}, 'HEAD');
    expect((await get(LIST)).text).toContain('"count":250');
    expect(sample.store.calls).toBe(1);
  });

  it('is 304 with the tag of before', async () => {
    const { etag } = (await get(LIST)).headers;
    expect((await get(LIST, { 'If-None-Match': String(etag) }, 'HEAD')).status).toBe(304);
  });

  it('does not start a long stream', async () => {
    const head = await get('/api/v1/endless', {}, 'HEAD');
    expect([head.status, head.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  });
});
