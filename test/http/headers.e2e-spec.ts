import { sendRequest, expectRawProblem } from '../support/http.js';
import { type SampleApp, startSample } from './sample-app.js';

let sample: SampleApp;
beforeAll(
  async () => (sample = await startSample({ variables: { CORS_ORIGINS: 'https://ours.example.org' } })),
);
afterAll(() => sample.app.close());

const OURS = 'https://ours.example.org';
const THEIRS = 'https://theirs.example.org';
const EXPOSED =
  'ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, X-Ignored-Parameters';

describe('R5: security headers', () => {
  it.each([
    ['/api/v1/List', 200, {}],
    ['/api/v1/Thing/5', 304, { 'If-None-Match': '*' }],
    ['/api/v1/nothing', 404, {}],
    ['/api/v1/fault', 500, {}],
  ])('%s %i', async (path, status, headers) => {
    const answer = await sendRequest(sample.url, path, { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    });
    for (const absent of ['x-powered-by', 'server', 'strict-transport-security']) {
      expect(answer.headers).not.toHaveProperty(absent);
    }
    if (status !== 304) expect(answer.headers['content-type']).toMatch(/; charset=utf-8$/);
  });

  it('G6: a header that cannot be sent is a fault of ours, and is answered', async () => {
    expectRawProblem(await sendRequest(sample.url, '/api/v1/bad-header'), 'error');
    expect(sample.door.inWork).toBe(0);
  });

  it("headers of Nest's decorator are sent", async () => {
    expect((await sendRequest(sample.url, '/api/v1/header')).headers).toMatchObject({ 'x-decorated': 'yes' });
  });

  it('a handler may give its own policy', async () => {
    const answer = await sendRequest(sample.url, '/api/v1/page.html');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'self'",
    });
  });

  it('G3, G6: a fault of ours says nothing of itself, is logged, and harms nobody', async () => {
    const answer = await sendRequest(sample.url, '/api/v1/fault', { headers: { 'X-Request-Id': 'the-fault' } });
    const problem = expectRawProblem(answer, 'error');
    expect(problem).toEqual({
      type: '/problems/error',
      title: 'Internal error',
      status: 500,
      code: 'error',
      detail: 'Something went wrong. The request is logged under its id.',
      instance: 'urn:uuid:the-fault',
    });
    const logged = sample.lines().filter((line) => line.id === 'the-fault' && line.level === 'error');
    expect(logged).toEqual([
      expect.objectContaining({
        msg: 'request failed',
        err: expect.objectContaining({ message: 'SELECT secret FROM account' }),
      }),
    ]);
    expect((await sendRequest(sample.url, '/health/live')).status).toBe(200);
  });
});

describe('R6: scripts of other origins', () => {
  const cors = (headers: Record<string, unknown>) => ({
    origin: headers['access-control-allow-origin'],
    methods: headers['access-control-allow-methods'],
    headers: headers['access-control-allow-headers'],
    exposed: headers['access-control-expose-headers'],
    credentials: headers['access-control-allow-credentials'],
    vary: headers.vary,
  });
  const nothing = { methods: undefined, headers: undefined, credentials: undefined };
  const preflight = (path: string, origin: string, method: string) =>
    sendRequest(sample.url, path, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': method },
    });

  it.each(['/api/v1/List', '/api/v1/Thing/5', '/api/v1/nothing', '/api/v1/List?page=0'])(
    'any may read %s',
    async (path) => {
      for (const headers of [{}, { Origin: THEIRS }, { Origin: OURS }] as Record<string, string>[]) {
        const answer = await sendRequest(sample.url, path, { headers });
        expect(cors(answer.headers)).toEqual({
          ...nothing,
          origin: '*',
          exposed: EXPOSED,
          vary: 'Accept, Accept-Encoding',
        });
      }
    },
  );

  it('listed ones may write', async () => {
    const write = (origin: string) =>
      sendRequest(sample.url, '/api/v1/Thing', {
        method: 'POST',
        headers: { Origin: origin, Authorization: 'Bearer maintainer', 'Content-Type': 'application/json' },
        body: '{"thing_name":"a"}',
      });
    const vary = 'Accept, Accept-Encoding, Origin';
    expect(cors((await write(OURS)).headers)).toEqual({ ...nothing, origin: OURS, exposed: EXPOSED, vary });
    expect(cors((await write(THEIRS)).headers)).toEqual({
      ...nothing,
      origin: undefined,
      exposed: undefined,
      vary,
    });
  });

  it('a preflight tells them so', async () => {
    const vary = 'Accept, Accept-Encoding, Origin';
    const read = 'Accept, Accept-Language, If-None-Match, X-Request-Id';
    const all = { credentials: undefined, exposed: EXPOSED, vary };
    expect(cors((await preflight('/api/v1/Thing/5', THEIRS, 'GET')).headers)).toEqual({
      ...all,
      origin: '*',
      methods: 'GET, HEAD, OPTIONS',
      headers: read,
    });
    expect(cors((await preflight('/api/v1/Thing/5', OURS, 'PATCH')).headers)).toEqual({
      ...all,
      origin: OURS,
      methods: 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
      headers: `${read}, Authorization, Content-Type, If-Match, Idempotency-Key`,
    });
    for (const [origin, method] of [
      [THEIRS, 'PATCH'],
      [OURS, 'POST'],
      ['null', 'DELETE'],
    ] as const) {
      const answer = await preflight('/api/v1/Thing/5', origin, method);
      expect([answer.status, answer.headers['access-control-allow-methods']]).toEqual([204, undefined]);
    }
  });

  it('a preflight of an unknown address is 404', async () => {
    expectRawProblem(await preflight('/api/v1/nothing', THEIRS, 'GET'), 'not_found');
  });
});

describe('R4: how long answers may be kept', () => {
  it.each([
    ['GET', '/api/v1/List', 'public, max-age=60, stale-if-error=86400'],
    ['GET', '/api/v1/Thing', 'public, no-cache'],
    ['GET', '/health/live', 'no-store'],
    ['GET', '/api/v1/List?page=99', 'no-store'],
    ['GET', '/nothing', 'no-store'],
    ['POST', '/api/v1/List', 'no-store'],
    ['DELETE', '/api/v1/Thing/5', 'no-store'],
    ['OPTIONS', '/api/v1/Thing/5', 'no-store'],
  ])('%s %s: %s', async (method, path, expected) => {
    const answer = await sendRequest(sample.url, path, { method, headers: { Authorization: 'Bearer maintainer' } });
    expect(answer.headers['cache-control']).toBe(expected);
  });
});

describe('G7: successes', () => {
  const headers = { Authorization: 'Bearer maintainer', 'Content-Type': 'application/json' };

  it('201 with Location and the record', async () => {
    const answer = await sendRequest(sample.url, '/api/v1/Thing/', {
      method: 'POST',
      headers,
      body: '{"thing_name":"a"}',
    });
    expect([answer.status, answer.headers.location, answer.text]).toEqual([
      201,
      `${sample.url}/api/v1/Thing/7/`,
      '{"id":7,"thing_name":"a"}',
    ]);
  });

  it('204 without a body', async () => {
    const answer = await sendRequest(sample.url, '/api/v1/Thing/7', { method: 'DELETE', headers });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers).not.toHaveProperty('content-type');
    expect(answer.headers).not.toHaveProperty('content-length');
  });
});

describe('W12: links and proxies', () => {
  const next = async (from: SampleApp, headers: Record<string, string> = {}, query = 'page_size=100') => {
    const answer = await sendRequest(from.url, `/api/v1/List?${query}`, { headers });
    return {
      next: (JSON.parse(answer.text) as { next: string }).next,
      hsts: answer.headers['strict-transport-security'],
    };
  };
  const forged = {
    'X-Forwarded-Host': 'evil.example.org',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-For': '192.0.2.1',
    Forwarded: 'host=evil.example.org;proto=https',
  };

  it('forwarding headers of strangers do not count', async () => {
    expect(await next(sample, forged)).toEqual({
      next: `${sample.url}/api/v1/List?page_size=100&page=2`,
      hsts: undefined,
    });
  });

  it('those of trusted proxies do', async () => {
    const behind = await startSample({ variables: { TRUST_PROXY: '127.0.0.0/8' } });
    expect(await next(behind, { ...forged, 'X-Forwarded-Host': 'prices.example.org, proxy' })).toEqual({
      next: 'https://prices.example.org/api/v1/List?page_size=100&page=2',
      hsts: 'max-age=31536000',
    });
    expect((await next(behind, { 'X-Forwarded-Host': '"><script>' })).next).toBe(
      `${behind.url}/api/v1/List?page_size=100&page=2`,
    );
    await behind.app.close();
  });

  it('the configured public address goes before all', async () => {
    const named = await startSample({
      variables: { PUBLIC_URL: 'https://prices.example.org', TRUST_PROXY: 'loopback' },
    });
    for (const headers of [{}, forged, { Host: 'other.example.org' }] as Record<string, string>[]) {
      expect(await next(named, headers)).toEqual({
        next: 'https://prices.example.org/api/v1/List?page_size=100&page=2',
        hsts: 'max-age=31536000',
      });
    }
    expect(named.door.cache.pages).toBe(1);
    expect(expectRawProblem(await sendRequest(named.url, '/nothing'), 'not_found').type).toBe(
      'https://prices.example.org/problems/not_found',
    );
    await named.app.close();
  });

  it('links keep all parameters, in their order and as they were sent', async () => {
    const query =
      'admin_units=S%c3%a3o+Paulo,%22a%2Cb%22&page=2&market_types=a|b&page_size=100&iso3_country_codes=KEN';
    const answer = await sendRequest(sample.url, `/api/v1/List/?${query}`);
    const body = JSON.parse(answer.text) as { next: string; previous: string };
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
  it('keeps a harmless request id and replaces any other', async () => {
    const id = 'a.B-9_'.padEnd(64, 'x');
    expect(
      (await sendRequest(sample.url, '/health/live', { headers: { 'X-Request-Id': id } })).headers['x-request-id'],
    ).toBe(id);
    for (const bad of ['', 'a b', 'x'.repeat(65), '"}{"', 'é'.normalize('NFD').slice(1) + '%0a']) {
      const sent = Buffer.from(bad).toString('latin1');
      const answer = await sendRequest(sample.url, '/health/live', { headers: { 'X-Request-Id': sent } });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    }
  });

  it('writes one line for each request, hit or miss, with its facts and nothing else', async () => {
    const id = 'log-me';
    const headers = { 'X-Request-Id': id, Authorization: 'Bearer sEcReT' };
    const path = '/api/v1/List/?page=2&page_size=3';
    const sent = [await sendRequest(sample.url, path, { headers }), await sendRequest(sample.url, path, { headers })];
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
    expect(sample.lines().filter((one) => one.id === id)).toEqual([
      { ...line, method: 'GET', route: '/api/v1/List', status: 200, bytes: sent[0]?.bytes.length },
      {
        ...line,
        method: 'GET',
        route: '/api/v1/List',
        status: 200,
        bytes: sent[1]?.bytes.length,
        cached: true,
      },
      { ...line, method: 'PUT', route: '/api/v1/Thing/:id', status: 403, bytes: expect.any(Number) },
      { ...line, method: 'GET', route: null, status: 404, bytes: expect.any(Number) },
    ]);
    for (const { time } of sample.lines()) expect(new Date(String(time)).toISOString()).toBe(time);
    expect(sample.logText()).not.toContain('sEcReT');
  });
});
