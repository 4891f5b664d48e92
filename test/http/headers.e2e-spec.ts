import { sendRequest, expectRawProblem } from '../support/http.js';
import { type SampleApp, startSampleApp, warmCache } from './sample-app.js';

let sample: SampleApp;
beforeAll(
  async () => (sample = await startSampleApp({ variables: { CORS_ORIGINS: 'https://ours.example.org' } })),
);
afterAll(() => sample.app.close());

const OURS = 'https://ours.example.org';
const THEIRS = 'https://theirs.example.org';
const EXPOSED =
  'ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, X-Ignored-Parameters, Data-Revision, Content-Disposition, Accept-Ranges, Content-Range';

describe('R5: security headers', () => {
  it.each([
    ['/api/v1/List', 200, {}],
    ['/api/v1/Thing/5', 304, { 'If-None-Match': '*' }],
    ['/api/v1/nothing', 404, {}],
    ['/api/v1/failure', 500, {}],
  ])('are set on %s, which is %i', async (path, status, headers) => {
    const response = await sendRequest(sample.url, path, { headers });
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    });
    for (const absent of ['x-powered-by', 'server', 'strict-transport-security']) {
      expect(response.headers).not.toHaveProperty(absent);
    }
    if (status !== 304) expect(response.headers['content-type']).toMatch(/; charset=utf-8$/);
  });

  it('G6: a header that cannot be sent is an internal error with an error response', async () => {
    expectRawProblem(await sendRequest(sample.url, '/api/v1/bad-header'), 'error');
    expect(sample.limits.requests.size).toBe(0);
  });

  it("headers set by Nest's @Header() are sent", async () => {
    expect((await sendRequest(sample.url, '/api/v1/header')).headers).toMatchObject({ 'x-decorated': 'yes' });
  });

  it('those of a reply win however they are spelt, and are sent once, repeated or not', async () => {
    for (let time = 1; time <= 3; time++) {
      // It joins the lines of a name.
      const { headers } = await fetch(`${sample.url}/api/v1/spelt-otherwise`);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/css',
        'cache-control': 'public, no-cache',
        vary: '*',
        connection: 'close',
      });
    }
    const wrong = await fetch(`${sample.url}/api/v1/wrong-otherwise`);
    expect([wrong.status, wrong.headers.get('cache-control')]).toEqual([503, 'no-cache']);
  });

  it('those of a stream are sent as those of a reply, repeated or not', async () => {
    const { calls } = sample.store;
    for (let time = 1; time <= 3; time++) {
      const response = await fetch(`${sample.url}/api/v1/stream-otherwise`);
      expect([response.headers.get('connection'), (await response.text()).length]).toEqual([
        'close',
        64 * 8191 + 1,
      ]);
    }
    expect(sample.store.calls - calls).toBe(2);
  });

  it('a Location on this host begins with the path of PUBLIC_URL however it is spelt', async () => {
    const below = await startSampleApp({ variables: { PUBLIC_URL: 'https://example.org/prices' } });
    try {
      const { headers } = await fetch(`${below.url}/api/v1/moved-otherwise`, { redirect: 'manual' });
      expect(headers.get('location')).toBe('/prices/api/v1/Thing/7');
    } finally {
      await below.app.close();
    }
  });

  it('a handler may set a Content-Security-Policy of its own', async () => {
    const response = await sendRequest(sample.url, '/api/v1/page.html');
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'self'",
    });
  });

  it('G3, G6: an internal error reveals nothing, is logged, and does not affect other requests', async () => {
    const response = await sendRequest(sample.url, '/api/v1/failure', {
      headers: { 'X-Request-Id': 'the-error' },
    });
    const problem = expectRawProblem(response, 'error');
    expect(problem).toEqual({
      type: '/problems/error',
      title: 'Internal error',
      status: 500,
      code: 'error',
      detail: 'Something went wrong. The request is logged under its id.',
      instance: 'urn:uuid:the-error',
    });
    const logged = sample.logLines().filter((line) => line.id === 'the-error' && line.level === 'error');
    expect(logged).toEqual([
      expect.objectContaining({
        msg: 'request failed',
        err: expect.objectContaining({ message: 'SELECT secret FROM account' }),
      }),
    ]);
    expect((await sendRequest(sample.url, '/health/live')).status).toBe(200);
  });
});

describe('R6: CORS', () => {
  const cors = (headers: Record<string, unknown>) => ({
    origin: headers['access-control-allow-origin'],
    methods: headers['access-control-allow-methods'],
    headers: headers['access-control-allow-headers'],
    exposed: headers['access-control-expose-headers'],
    credentials: headers['access-control-allow-credentials'],
    vary: headers.vary,
  });
  const readOnly = { methods: undefined, headers: undefined, credentials: undefined };
  const preflight = (path: string, origin: string, method: string) =>
    sendRequest(sample.url, path, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': method },
    });

  it.each(['/api/v1/List', '/api/v1/Thing/5', '/api/v1/nothing', '/api/v1/List?page=0'])(
    'any origin may read %s',
    async (path) => {
      for (const headers of [{}, { Origin: THEIRS }, { Origin: OURS }] as Record<string, string>[]) {
        const response = await sendRequest(sample.url, path, { headers });
        expect(cors(response.headers)).toEqual({
          ...readOnly,
          origin: '*',
          exposed: EXPOSED,
          vary: 'Accept, Accept-Encoding',
        });
      }
    },
  );

  it('only listed origins may write', async () => {
    const write = (origin: string) =>
      sendRequest(sample.url, '/api/v1/Thing', {
        method: 'POST',
        headers: { Origin: origin, Authorization: 'Bearer maintainer', 'Content-Type': 'application/json' },
        body: '{"thing_name":"a"}',
      });
    const vary = 'Accept, Accept-Encoding, Origin';
    expect(cors((await write(OURS)).headers)).toEqual({ ...readOnly, origin: OURS, exposed: EXPOSED, vary });
    expect(cors((await write(THEIRS)).headers)).toEqual({
      ...readOnly,
      origin: undefined,
      exposed: undefined,
      vary,
    });
  });

  it('a preflight request returns the methods and headers that the origin may use', async () => {
    const vary = 'Accept, Accept-Encoding, Origin';
    const read =
      'Accept, Accept-Language, Cache-Control, Content-Type, If-None-Match, If-Range, Pragma, Range, ' +
      'X-Request-Id, X-Requested-With';
    const common = { credentials: undefined, exposed: EXPOSED, vary };
    expect(cors((await preflight('/api/v1/Thing/5', THEIRS, 'GET')).headers)).toEqual({
      ...common,
      origin: '*',
      methods: 'GET, HEAD, OPTIONS',
      headers: read,
    });
    expect(cors((await preflight('/api/v1/Thing/5', OURS, 'PATCH')).headers)).toEqual({
      ...common,
      origin: OURS,
      methods: 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
      headers: `${read}, Authorization, If-Match, Idempotency-Key`,
    });
    for (const [origin, method] of [
      [THEIRS, 'PATCH'],
      [OURS, 'POST'],
      ['null', 'DELETE'],
    ] as const) {
      const response = await preflight('/api/v1/Thing/5', origin, method);
      expect([response.status, response.headers['access-control-allow-methods']]).toEqual([204, undefined]);
    }
  });

  it('a preflight request for an unknown address is 404', async () => {
    expectRawProblem(await preflight('/api/v1/nothing', THEIRS, 'GET'), 'not_found');
  });
});

describe('R4: Cache-Control', () => {
  it.each([
    ['GET', '/api/v1/List', 'public, max-age=60, stale-if-error=86400'],
    ['GET', '/api/v1/Thing', 'public, no-cache'],
    ['GET', '/health/live', 'no-store'],
    ['GET', '/api/v1/List?page=99', 'no-store'],
    ['GET', '/nothing', 'no-store'],
    ['POST', '/api/v1/List', 'no-store'],
    ['DELETE', '/api/v1/Thing/5', 'no-store'],
    ['OPTIONS', '/api/v1/Thing/5', 'no-store'],
  ])('of %s %s is %s', async (method, path, expected) => {
    const response = await sendRequest(sample.url, path, {
      method,
      headers: { Authorization: 'Bearer maintainer' },
    });
    expect(response.headers['cache-control']).toBe(expected);
  });
});

describe('G7: successful responses', () => {
  const headers = { Authorization: 'Bearer maintainer', 'Content-Type': 'application/json' };

  it('of a POST are 201 with Location and the record', async () => {
    const response = await sendRequest(sample.url, '/api/v1/Thing/', {
      method: 'POST',
      headers,
      body: '{"thing_name":"a"}',
    });
    expect([response.status, response.headers.location, response.text]).toEqual([
      201,
      `${sample.url}/api/v1/Thing/7/`,
      '{"id":7,"thing_name":"a"}',
    ]);
  });

  it('of a DELETE are 204 without a body', async () => {
    const response = await sendRequest(sample.url, '/api/v1/Thing/7', { method: 'DELETE', headers });
    expect([response.status, response.text]).toEqual([204, '']);
    expect(response.headers).not.toHaveProperty('content-type');
    expect(response.headers).not.toHaveProperty('content-length');
  });
});

describe('W12: links and proxies', () => {
  const next = async (from: SampleApp, headers: Record<string, string> = {}, query = 'page_size=100') => {
    const response = await sendRequest(from.url, `/api/v1/List?${query}`, { headers });
    return {
      next: (JSON.parse(response.text) as { next: string }).next,
      hsts: response.headers['strict-transport-security'],
    };
  };
  const forged = {
    'X-Forwarded-Host': 'evil.example.org',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-For': '192.0.2.1',
    Forwarded: 'host=evil.example.org;proto=https',
  };

  it('forwarding headers are ignored unless a trusted proxy sent them', async () => {
    expect(await next(sample, forged)).toEqual({
      next: `${sample.url}/api/v1/List?page_size=100&page=2`,
      hsts: undefined,
    });
  });

  it('forwarding headers of trusted proxies are used', async () => {
    const proxied = await startSampleApp({ variables: { TRUST_PROXY: '127.0.0.0/8' } });
    expect(
      await next(proxied, { ...forged, 'X-Forwarded-Host': 'evil.example.org, prices.example.org' }),
    ).toEqual({
      next: 'https://prices.example.org/api/v1/List?page_size=100&page=2',
      hsts: 'max-age=31536000',
    });
    expect((await next(proxied, { 'X-Forwarded-Host': '"><script>' })).next).toBe(
      `${proxied.url}/api/v1/List?page_size=100&page=2`,
    );
    await proxied.app.close();
  });

  it.each([
    ['https', 'https'],
    ['HTTPS', 'https'],
    ['http', 'http'],
    ['https, http', 'http'],
    ['http,https', 'https'],
    ['gopher', 'http'],
  ])('of X-Forwarded-Proto: %s the nearest proxy has sent %s', async (forwarded, scheme) => {
    const proxied = await startSampleApp({ variables: { TRUST_PROXY: 'loopback' } });
    const sent = await next(proxied, { Host: 'prices.example.org', 'X-Forwarded-Proto': forwarded });
    expect(sent.next).toBe(`${scheme}://prices.example.org/api/v1/List?page_size=100&page=2`);
    await proxied.app.close();
  });

  it.each([
    ['192.0.2.1', '192.0.2.0/24'],
    ['192.0.2.1:4711', '192.0.2.0/24'],
    ['::ffff:c000:201', '192.0.2.0/24'],
    ['[2001:db8:1:2::3]:4711', '2001:db8:1::/48'],
    ['198.51.100.1, 192.0.2.1, 127.0.0.2:4711', '192.0.2.0/24'],
    ['unknown', '127.0.0.0/24'],
  ])('O1: a request from %s is logged with the network %s, cached or not', async (forwarded, network) => {
    const proxied = await startSampleApp({ variables: { TRUST_PROXY: 'loopback' } });
    const headers = { 'X-Forwarded-For': forwarded };
    for (let round = 0; round < 3; round++) await sendRequest(proxied.url, '/api/v1/List', { headers });
    const lines = proxied.logLines().filter(({ msg }) => msg === 'request');
    expect(lines.map((line) => [line.network, line.cached ?? false])).toEqual([
      [network, false],
      [network, false],
      [network, true],
    ]);
    await proxied.app.close();
  });

  it('the configured public address takes precedence over headers', async () => {
    const published = await startSampleApp({
      variables: { PUBLIC_URL: 'https://prices.example.org', TRUST_PROXY: 'loopback' },
    });
    for (const headers of [{}, forged, { Host: 'other.example.org' }] as Record<string, string>[]) {
      expect(await next(published, headers)).toEqual({
        next: 'https://prices.example.org/api/v1/List?page_size=100&page=2',
        hsts: 'max-age=31536000',
      });
    }
    // One origin, so one page, which the third request hits.
    expect([published.store.calls, published.cache.size]).toEqual([2, 1]);
    expect(expectRawProblem(await sendRequest(published.url, '/nothing'), 'not_found').type).toBe(
      'https://prices.example.org/problems/not_found',
    );
    await published.app.close();
  });

  it('links repeat all parameters, in their order and as they were sent', async () => {
    const query =
      'admin_units=S%c3%a3o+Paulo,%22a%2Cb%22&page=2&market_types=a|b&page_size=100&iso3_country_codes=KEN';
    const response = await sendRequest(sample.url, `/api/v1/List/?${query}`);
    const body = JSON.parse(response.text) as { next: string; previous: string };
    expect(body.next).toBe(
      `${sample.url}/api/v1/List/?${query.replace('page=2', 'page=3').replace('|', '%7C')}`,
    );
    expect(body.previous).toBe(
      `${sample.url}/api/v1/List/?${query.replace('page=2&', '').replace('|', '%7C')}`,
    );
    const last = JSON.parse((await sendRequest(sample.url, body.next.slice(sample.url.length))).text) as {
      next: null;
      previous: string;
    };
    expect([last.next, last.previous]).toEqual([
      null,
      `${sample.url}/api/v1/List/?${query.replace('|', '%7C')}`,
    ]);
  });
});

describe('O1, O2: the request log', () => {
  it('uses the X-Request-Id of the client if it is valid, and a new id otherwise', async () => {
    const id = 'a.B-9_'.padEnd(64, 'x');
    expect(
      (await sendRequest(sample.url, '/health/live', { headers: { 'X-Request-Id': id } })).headers[
        'x-request-id'
      ],
    ).toBe(id);
    for (const invalid of ['', 'a b', 'x'.repeat(65), '"}{"', 'é'.normalize('NFD').slice(1) + '%0a']) {
      const sent = Buffer.from(invalid).toString('latin1');
      const response = await sendRequest(sample.url, '/health/live', { headers: { 'X-Request-Id': sent } });
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    }
  });

  it('has one line for each request, cached or not, with these fields only', async () => {
    const id = 'log-me';
    const headers = { 'X-Request-Id': id, Authorization: 'Bearer sEcReT' };
    const path = '/api/v1/List/?page=2&page_size=3';
    await warmCache(sample, path);
    const cached = await sendRequest(sample.url, path, { headers });
    sample.store.revision = '2';
    const fresh = await sendRequest(sample.url, path, { headers });
    await sendRequest(sample.url, '/api/v1/Thing/5?token=sEcReT', { headers, method: 'PUT' });
    await sendRequest(sample.url, '/unknown/sEcReT', { headers });
    const line = {
      level: 'info',
      time: expect.any(String),
      msg: 'request',
      id,
      ms: expect.any(Number),
      network: '127.0.0.0/24',
    };
    const read = { ...line, method: 'GET', route: '/api/v1/List', status: 200 };
    expect(sample.logLines().filter((entry) => entry.id === id)).toEqual([
      { ...read, bytes: cached.bytes.length, cached: true },
      { ...read, bytes: fresh.bytes.length },
      { ...line, method: 'PUT', route: '/api/v1/Thing/:id', status: 403, bytes: expect.any(Number) },
      { ...line, method: 'GET', route: null, status: 404, bytes: expect.any(Number) },
    ]);
    for (const { time } of sample.logLines()) expect(new Date(String(time)).toISOString()).toBe(time);
    expect(sample.logText()).not.toContain('sEcReT');
  });
});
