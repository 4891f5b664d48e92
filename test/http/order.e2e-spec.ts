import { sendRequest, expectRawProblem, codesOf, type HttpRequestOptions } from '../support/http.js';
import type { ProblemCode } from '../../src/common/errors/problem-codes.js';
import { type SampleApp, startSample } from './sample-app.js';

/** A throttle that refuses whoever asks for it. */
const throttle = {
  take: (request: { headers: Record<string, unknown> }) =>
    request.headers['x-throttled'] === undefined
      ? null
      : { retryAfter: 7, headers: { 'RateLimit-Policy': '"read";q=1;w=60', RateLimit: '"read";r=0;t=7' } },
};

let sample: SampleApp;
beforeAll(async () => (sample = await startSample({ throttle })));
afterAll(() => sample.app.close());

/** Faults from the first to the last in the order of G4; each changes the request a little. */
interface Asked extends HttpRequestOptions {
  path: string;
  headers: Record<string, string>;
}
const faults: [ProblemCode, (asked: Asked) => void][] = [
  ['headers_too_large', (asked) => (asked.headers['X-Long'] = 'x'.repeat(17_000))],
  ['uri_too_long', (asked) => (asked.path += `?x=${'x'.repeat(33_000)}`)],
  ['not_found', (asked) => (asked.path = asked.path.replace('/api/v1/', '/api/v2/'))],
  ['method_not_allowed', (asked) => (asked.method = 'REPORT')],
  ['throttled', (asked) => (asked.headers['X-Throttled'] = '1')],
  ['not_acceptable', (asked) => (asked.headers.Accept = 'text/html')],
  ['not_authenticated', (asked) => delete asked.headers.Authorization],
  ['forbidden', (asked) => (asked.headers.Authorization = 'Bearer reader')],
  ['unsupported_media_type', (asked) => (asked.headers['Content-Type'] = 'text/plain')],
  ['too_large', (asked) => (asked.body = `{"thing_name":"${'x'.repeat(200_000)}"}`)],
  ['parse_error', (asked) => (asked.body = '{"thing_name"')],
  ['invalid', (asked) => (asked.body = '{"thing_name":5}')],
  ['precondition_failed', (asked) => (asked.headers['If-Match'] = '"other"')],
];

const fine = (): Asked => ({
  path: '/api/v1/Thing/5/',
  method: 'PUT',
  headers: { Authorization: 'Bearer maintainer', 'Content-Type': 'application/json' },
  body: '{"thing_name":"a"}',
});

/** Pairs that exclude each other: two states of the token, two bodies. */
const same = [new Set(['not_authenticated', 'forbidden']), new Set(['too_large', 'parse_error', 'invalid'])];
const pairs = faults.flatMap(([first, spoilFirst], index) =>
  faults
    .slice(index + 1)
    .filter(([second]) => !same.some((group) => group.has(first) && group.has(second)))
    .map(([second, spoilSecond]) => ({ first, second, spoil: [spoilSecond, spoilFirst] })),
);

it('the request without faults is fine', async () => {
  const { path, ...question } = fine();
  const answer = await sendRequest(sample.url, path, question);
  expect([answer.status, answer.headers.etag, answer.text]).toEqual([
    200,
    '"thing-5-2"',
    '{"id":5,"thing_name":"a"}',
  ]);
});

describe('G4: of two faults the first in order counts', () => {
  it.each(faults)('%s alone', async (code, spoil) => {
    const asked = fine();
    spoil(asked);
    expectRawProblem(await sendRequest(sample.url, asked.path, asked), code);
  });

  it.each(pairs)('$first before $second', async ({ first, spoil }) => {
    const asked = fine();
    for (const change of spoil) change(asked);
    expectRawProblem(await sendRequest(sample.url, asked.path, asked), first);
  });

  it.each([
    ['bad JSON', '/api/v1/Thing/', { 'Content-Type': 'application/json' }, '{"a'],
    ['200 KB', '/api/v1/Thing/', { 'Content-Type': 'application/json' }, `"${'x'.repeat(200_000)}"`],
    ['a wrong type', '/api/v1/Thing/', { 'Content-Type': 'text/xml' }, '<a/>'],
    ['an unknown parameter', '/api/v1/Thing/?x=%zz', { 'Content-Type': 'application/json' }, '{}'],
  ])('a POST without token is 401 with %s', async (_, path, headers, body) => {
    expectRawProblem(await sendRequest(sample.url, path, { method: 'POST', headers, body }), 'not_authenticated');
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('%s of an absent id without token is 401', async (method) => {
    const answer = await sendRequest(sample.url, '/api/v1/Thing/999/', { method });
    expectRawProblem(answer, 'not_authenticated');
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('the values of a query come after the address', async () => {
    expectRawProblem(await sendRequest(sample.url, '/api/v1/Nothing?x=%zz'), 'not_found');
    expectRawProblem(
      await sendRequest(sample.url, '/api/v1/Echo?page=0', { headers: { Accept: 'text/html' } }),
      'not_acceptable',
    );
    expectRawProblem(await sendRequest(sample.url, '/api/v1/Echo?page=0', { method: 'PUT' }), 'method_not_allowed');
  });

  it('a throttled request learns when to come back', async () => {
    const answer = await sendRequest(sample.url, '/api/v1/Thing/5', { headers: { 'X-Throttled': '1' } });
    expectRawProblem(answer, 'throttled');
    expect(answer.headers).toMatchObject({
      'retry-after': '7',
      'ratelimit-policy': '"read";q=1;w=60',
      ratelimit: '"read";r=0;t=7',
    });
  });

  it('health is not throttled', async () => {
    expect((await sendRequest(sample.url, '/health/live', { headers: { 'X-Throttled': '1' } })).status).toBe(200);
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
    '%s answers directly',
    async (path) => {
      expect((await sendRequest(sample.url, path)).status).toBe(200);
    },
  );

  it.each([
    ['/api/v1/files/a', 'a'],
    ['/api/v1/files/a/b%20c/%C3%A9.txt/', 'a/b c/é.txt'],
    ['/api/v1/files/%2e%2e/a%2Fb', '../a/b'],
  ])('parameters of %s are decoded', async (path, file) => {
    expect(JSON.parse((await sendRequest(sample.url, path)).text)).toEqual({ file });
  });

  it.each(['/api/v1/List', '/api/v1/List/', '/other/prefix/List', '/other/prefix/List/'])(
    '%s is the list',
    async (path) => {
      const { next } = JSON.parse((await sendRequest(sample.url, `${path}?page_size=100`)).text) as { next: string };
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
  ])('%s %s is 405 and says what there is', async (method, path, allow) => {
    const answer = await sendRequest(sample.url, path, { method });
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
    if (method !== 'HEAD') expectRawProblem(answer, 'method_not_allowed');
    const options = await sendRequest(sample.url, path, { method: 'OPTIONS' });
    expect([options.status, options.headers.allow, options.text]).toEqual([204, allow, '']);
  });
});

describe('B4: Accept', () => {
  const type = async (path: string, accept?: string) => {
    const answer = await sendRequest(sample.url, path, { headers: accept === undefined ? {} : { Accept: accept } });
    return answer.status === 200 ? answer.headers['content-type']?.split(';')[0] : answer.status;
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
  ])('%s gives %s', async (accept, expected) => {
    expect(await type('/api/v1/List', accept)).toBe(expected);
  });

  it('format= goes before Accept', async () => {
    expect(await type('/api/v1/List?format=csv', 'application/json')).toBe('text/csv');
    expect(await type('/api/v1/List?format=json', 'text/html')).toBe('application/json');
  });

  it('a format that is not offered is a bad value, whatever Accept says', async () => {
    const answer = await sendRequest(sample.url, '/api/v1/List?format=xml', { headers: { Accept: 'text/html' } });
    expect(codesOf(expectRawProblem(answer, 'invalid'))).toEqual([['format', 'invalid_choice']]);
  });

  it('a route with a type of its own does not look', async () => {
    expect(await type('/api/v1/page.html', 'text/plain')).toBe('text/html');
  });
});

describe('F14: too much to do', () => {
  it('refuses more than so many requests at once, health aside', async () => {
    const crowded = await startSample({ limits: { requestsInWork: 3 } });
    let open: () => void = () => undefined;
    crowded.store.gate = new Promise((resolve) => (open = resolve));
    const slow = Array.from({ length: 3 }, () => sendRequest(crowded.url, '/api/v1/slow'));
    while (crowded.door.inWork < 3) await new Promise((resolve) => setImmediate(resolve));
    const refused = await sendRequest(crowded.url, '/api/v1/Thing/5');
    expectRawProblem(refused, 'unavailable');
    expect(refused.headers['retry-after']).toBe('1');
    expect((await sendRequest(crowded.url, '/health/live')).status).toBe(200);
    open();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await sendRequest(crowded.url, '/api/v1/Thing/5')).status).toBe(200);
    expect(crowded.door.inWork).toBe(0);
    await crowded.app.close();
  });

  it('F3: an answer that does not begin in time is 504', async () => {
    const hasty = await startSample({ limits: { firstByteMs: 50 } });
    let open: () => void = () => undefined;
    hasty.store.gate = new Promise((resolve) => (open = resolve));
    expectRawProblem(await sendRequest(hasty.url, '/api/v1/slow'), 'timeout');
    open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasty.door.inWork).toBe(0);
    await hasty.app.close();
  });
});
