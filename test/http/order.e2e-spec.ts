import { sendRequest, expectRawProblem, codesOf, type HttpRequestOptions } from '../support/http.js';
import type { ProblemCode } from '../../src/platform/errors/problem-codes.js';
import { type SampleApp, startSampleApp } from './sample-app.js';

/** Throttles every read of one address. */
const throttle = {
  take: (group: string, client: string) =>
    group !== 'read' || client !== '192.0.2.1'
      ? null
      : { retryAfter: 7, headers: { 'RateLimit-Policy': '"read";q=1;w=60', RateLimit: '"read";r=0;t=7' } },
  add: () => undefined,
};
const throttled = { 'X-Forwarded-For': '192.0.2.1' };

let sample: SampleApp;
beforeAll(async () => (sample = await startSampleApp({ throttle, variables: { TRUST_PROXY: 'loopback' } })));
afterAll(() => sample.app.close());

interface TestRequest extends HttpRequestOptions {
  path: string;
  headers: Record<string, string>;
}

/** Errors in the order of G4, and how to change a valid request so that it causes them. */
const errors: [ProblemCode, (request: TestRequest) => void][] = [
  ['headers_too_large', (request) => (request.headers['X-Long'] = 'x'.repeat(17_000))],
  ['uri_too_long', (request) => (request.path += `?x=${'x'.repeat(33_000)}`)],
  ['not_found', (request) => (request.path = request.path.replace('/api/v1/', '/api/v2/'))],
  ['method_not_allowed', (request) => (request.method = 'REPORT')],
  ['not_acceptable', (request) => (request.headers.Accept = 'text/html')],
  ['not_authenticated', (request) => delete request.headers.Authorization],
  ['forbidden', (request) => (request.headers.Authorization = 'Bearer reader')],
  ['unsupported_media_type', (request) => (request.headers['Content-Type'] = 'text/plain')],
  ['too_large', (request) => (request.body = `{"thing_name":"${'x'.repeat(200_000)}"}`)],
  ['parse_error', (request) => (request.body = '{"thing_name"')],
  ['invalid', (request) => (request.body = '{"thing_name":5}')],
  ['precondition_failed', (request) => (request.headers['If-Match'] = '"other"')],
];

const validRequest = (): TestRequest => ({
  path: '/api/v1/Thing/5/',
  method: 'PUT',
  headers: { Authorization: 'Bearer maintainer', 'Content-Type': 'application/json' },
  body: '{"thing_name":"a"}',
});

/** Errors that exclude each other: a request has one token and one body. */
const exclusive = [
  new Set(['not_authenticated', 'forbidden']),
  new Set(['too_large', 'parse_error', 'invalid']),
];
const pairs = errors.flatMap(([first, causeFirst], index) =>
  errors
    .slice(index + 1)
    .filter(([second]) => !exclusive.some((group) => group.has(first) && group.has(second)))
    .map(([second, causeSecond]) => ({ first, second, causes: [causeSecond, causeFirst] })),
);

it('a request without errors succeeds', async () => {
  const { path, ...options } = validRequest();
  const response = await sendRequest(sample.url, path, options);
  expect([response.status, response.headers.etag, response.text]).toEqual([
    200,
    '"thing-5-2"',
    '{"id":5,"thing_name":"a"}',
  ]);
});

describe('G4: of several errors the first in order is reported', () => {
  it.each(errors)('%s alone', async (code, cause) => {
    const request = validRequest();
    cause(request);
    expectRawProblem(await sendRequest(sample.url, request.path, request), code);
  });

  it.each(pairs)('$first before $second', async ({ first, causes }) => {
    const request = validRequest();
    for (const cause of causes) cause(request);
    expectRawProblem(await sendRequest(sample.url, request.path, request), first);
  });

  it.each([
    ['malformed JSON', '/api/v1/Thing/', { 'Content-Type': 'application/json' }, '{"a'],
    [
      'a body of 200 KB',
      '/api/v1/Thing/',
      { 'Content-Type': 'application/json' },
      `"${'x'.repeat(200_000)}"`,
    ],
    ['an unsupported media type', '/api/v1/Thing/', { 'Content-Type': 'text/xml' }, '<a/>'],
    ['an unknown parameter', '/api/v1/Thing/?x=%zz', { 'Content-Type': 'application/json' }, '{}'],
  ])('a POST without a token and with %s is 401', async (_, path, headers, body) => {
    expectRawProblem(
      await sendRequest(sample.url, path, { method: 'POST', headers, body }),
      'not_authenticated',
    );
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('%s of an unknown id without a token is 401', async (method) => {
    const response = await sendRequest(sample.url, '/api/v1/Thing/999/', { method });
    expectRawProblem(response, 'not_authenticated');
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  it('query values are checked after path, method and Accept', async () => {
    expectRawProblem(await sendRequest(sample.url, '/api/v1/Nothing?x=%zz'), 'not_found');
    expectRawProblem(
      await sendRequest(sample.url, '/api/v1/Echo?page=0', { headers: { Accept: 'text/html' } }),
      'not_acceptable',
    );
    expectRawProblem(
      await sendRequest(sample.url, '/api/v1/Echo?page=0', { method: 'PUT' }),
      'method_not_allowed',
    );
  });

  it('a throttled read is 404 and 405 first, then 429, and says when to retry', async () => {
    const send = (path: string, method = 'GET') =>
      sendRequest(sample.url, path, { method, headers: { ...throttled, Accept: 'text/html' } });
    expectRawProblem(await send('/api/v2/Thing/5'), 'not_found');
    expectRawProblem(await send('/api/v1/Thing/5', 'REPORT'), 'method_not_allowed');
    const response = await send('/api/v1/Thing/5?page=0');
    expectRawProblem(response, 'throttled');
    expect(response.headers).toMatchObject({
      'retry-after': '7',
      'ratelimit-policy': '"read";q=1;w=60',
      ratelimit: '"read";r=0;t=7',
    });
  });

  it('health checks are not throttled', async () => {
    expect((await sendRequest(sample.url, '/health/live', { headers: throttled })).status).toBe(200);
  });
});

describe('B2, B3: addresses and methods', () => {
  it.each([
    '/API/v1/Thing',
    '/api/v1/thing',
    '/api/v1//Thing',
    '//api/v1/Thing',
    '/api/v1/Thing//',
    '/api/v1/Thing/5//',
    '/api/v1/Thing/5/6',
    '/api/v1/Thing;x=1',
    '/api/v1/Thing/..',
    '/api/v1',
    '/',
    '/api/v1/%54hing',
  ])('%s is 404', async (path) => {
    expectRawProblem(await sendRequest(sample.url, path), 'not_found');
  });

  it.each(['/api/v1/Thing/5', '/api/v1/Thing/5/', '/health/live', '/health/live/'])(
    '%s is served without a redirect',
    async (path) => {
      expect((await sendRequest(sample.url, path)).status).toBe(200);
    },
  );

  it.each([
    ['/api/v1/files/a', ['a']],
    ['/api/v1/files/a/b%20c/%C3%A9.txt/', ['a', 'b c', 'é.txt', '']],
    ['/api/v1/files/%2e%2e/a%2Fb', ['..', 'a/b']],
  ])('path parameters of %s are decoded', async (path, file) => {
    expect(JSON.parse((await sendRequest(sample.url, path)).text)).toEqual({ file });
  });

  it.each(['/api/v1/List', '/api/v1/List/', '/other/prefix/List', '/other/prefix/List/'])(
    '%s is the list, and its links have the same path',
    async (path) => {
      const { next } = JSON.parse((await sendRequest(sample.url, `${path}?page_size=100`)).text) as {
        next: string;
      };
      expect(next).toBe(`${sample.url}${path}?page_size=100&page=2`);
    },
  );

  it.each([
    ['POST', '/api/v1/List', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/api/v1/List', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/api/v1/Thing', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', '/api/v1/Thing/', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/api/v1/Thing/5', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['GET', '/api/v1/Upload', 'OPTIONS, POST'],
    ['HEAD', '/api/v1/Upload', 'OPTIONS, POST'],
  ])('%s %s is 405 with the allowed methods', async (method, path, allow) => {
    const response = await sendRequest(sample.url, path, { method });
    expect([response.status, response.headers.allow]).toEqual([405, allow]);
    if (method !== 'HEAD') expectRawProblem(response, 'method_not_allowed');
    const options = await sendRequest(sample.url, path, { method: 'OPTIONS' });
    expect([options.status, options.headers.allow, options.text]).toEqual([204, allow, '']);
  });
});

describe('B4: Accept', () => {
  const type = async (path: string, accept?: string) => {
    const response = await sendRequest(sample.url, path, {
      headers: accept === undefined ? {} : { Accept: accept },
    });
    return response.status === 200 ? response.headers['content-type']?.split(';')[0] : response.status;
  };

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['garbage', 'application/json'],
    [';;,,', 'application/json'],
    ['application/json;q=x', 'application/json'],
    ['application/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['text/csv, application/json', 'application/json'],
    ['application/json;q=0, */*', 'text/csv'],
    ['TEXT/CSV', 'text/csv'],
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['image/*', 406],
  ])('%s selects %s', async (accept, expected) => {
    expect(await type('/api/v1/List', accept)).toBe(expected);
  });

  it('the parameter format takes precedence over Accept', async () => {
    expect(await type('/api/v1/List?format=csv', 'application/json')).toBe('text/csv');
    expect(await type('/api/v1/List?format=json', 'text/html')).toBe('application/json');
  });

  it('a format that is not offered is an invalid value, whatever Accept says', async () => {
    const response = await sendRequest(sample.url, '/api/v1/List?format=xml', {
      headers: { Accept: 'text/html' },
    });
    expect(codesOf(expectRawProblem(response, 'invalid'))).toEqual([['format', 'invalid_choice']]);
  });

  it('a route with one media type of its own ignores Accept', async () => {
    expect(await type('/api/v1/page.html', 'text/plain')).toBe('text/html');
  });
});

describe('F14: overload', () => {
  it('rejects requests beyond the limit of those in work, except health checks', async () => {
    const overloaded = await startSampleApp({ limits: { requestsInWork: 3 } });
    let release: () => void = () => undefined;
    overloaded.store.gate = new Promise((resolve) => (release = resolve));
    const slow = Array.from({ length: 3 }, () => sendRequest(overloaded.url, '/api/v1/slow'));
    while (overloaded.limits.requests.size < 3) await new Promise((resolve) => setImmediate(resolve));
    const rejected = await sendRequest(overloaded.url, '/api/v1/Thing/5');
    expectRawProblem(rejected, 'unavailable');
    expect(rejected.headers['retry-after']).toBe('1');
    expect((await sendRequest(overloaded.url, '/health/live')).status).toBe(200);
    release();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await sendRequest(overloaded.url, '/api/v1/Thing/5')).status).toBe(200);
    expect(overloaded.limits.requests.size).toBe(0);
    await overloaded.app.close();
  });

  it('F3: a response that does not begin in time is a 504', async () => {
    const service = await startSampleApp({ limits: { firstByteMs: 50 } });
    let release: () => void = () => undefined;
    service.store.gate = new Promise((resolve) => (release = resolve));
    expectRawProblem(await sendRequest(service.url, '/api/v1/slow'), 'timeout');
    release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(service.limits.requests.size).toBe(0);
    await service.app.close();
  });
});
