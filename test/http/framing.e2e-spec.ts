import { sendRequest, exchangeRaw, expectRawProblem, parseRawResponse } from '../support/http.js';
import { type SampleApp, startSample } from './sample-app.js';

let sample: SampleApp;
beforeAll(async () => (sample = await startSample({ limits: { headersMs: 300 } })));
afterAll(() => sample.app.close());

const KIB = 1024;
const live = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** The answer to a request that closes its connection. */
const refusal = async (...pieces: string[]) => {
  const answer = parseRawResponse(await exchangeRaw(sample.port, pieces));
  expect(answer.headers.connection).toBe('close');
  return answer;
};

describe('B18: broken requests', () => {
  it.each([
    ['a line that is no request', 'what is this\r\n\r\n'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another protocol', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a field without colon', 'GET /health/live HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a control character in a field', 'GET /health/live HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n'],
    [
      'a blank before the colon',
      'GET /health/live HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n',
    ],
    [
      'both length and chunks',
      'POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two lengths',
      'POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    ],
    ['a target that is not ASCII', 'GET /api/v1/Echo?admin_units=S\u00e3o HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a negative length', 'POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n'],
  ])('%s', async (_, request) => {
    expectRawProblem(await refusal(request), 'bad_request');
    expect(await exchangeRaw(sample.port, [live])).toContain('HTTP/1.1 200 OK');
  });

  it('a bad chunk', async () => {
    const head = `POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer maintainer\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expectRawProblem(await refusal(`${head}5\r\n{"thi\r\nzz\r\n`), 'bad_request');
    expect(await exchangeRaw(sample.port, [live])).toContain('HTTP/1.1 200 OK');
  });

  it.each([
    ['no Host', ''],
    ['two Hosts', 'Host: a\r\nHost: b\r\n'],
    ['an empty Host', 'Host:\r\n'],
    ['a Host with a path', 'Host: a/b\r\n'],
    ['a Host with markup', 'Host: "><script>\r\n'],
    ['a Host with a user', 'Host: user@a\r\n'],
  ])('%s', async (_, host) => {
    const answer = await refusal(`GET /health/live HTTP/1.1\r\n${host}\r\n`);
    expectRawProblem(answer, 'bad_request');
  });

  it('has a line in the log', async () => {
    const answer = await refusal('what is this\r\n\r\n');
    const lines = sample.lines().filter(({ id }) => id === answer.headers['x-request-id']);
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        msg: 'request',
        id: answer.headers['x-request-id'],
        ms: expect.any(Number),
        method: '',
        route: null,
        status: 400,
        bytes: answer.bytes.length,
        network: '127.0.0.0/24',
      },
    ]);
  });

  it('HTTP/1.0 knows no Host', async () => {
    expect(await exchangeRaw(sample.port, ['GET /health/live HTTP/1.0\r\n\r\n'])).toContain('200 OK');
  });

  it('a CONNECT', async () => {
    const answer = await refusal('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n');
    expectRawProblem(answer, 'method_not_allowed');
    expect(answer.headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT');
  });

  it('an upgrade that is not offered is not done', async () => {
    const request =
      'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n';
    expect(await exchangeRaw(sample.port, [request])).toContain('HTTP/1.1 200 OK');
  });

  it('takes a target with scheme and host', async () => {
    const text = await exchangeRaw(sample.port, [
      'GET http://other/api/v1/Thing/5?_=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ]);
    expect(parseRawResponse(text).text).toBe('{"id":5,"name":"item 5"}');
  });
});

describe('F12: slow senders', () => {
  it('gives a head that does not come 408', async () => {
    expectRawProblem(await refusal('GET /health/live HTTP/1.1\r\nHost: x\r\n'), 'request_timeout');
  });
});

describe('Q21: sizes', () => {
  const target = (bytes: number) => `/api/v1/Echo?admin_units=${'x,'.repeat(90)}`.padEnd(bytes, 'x');

  it('takes a target of 32 KiB', async () => {
    const path = `/api/v1/Echo?uuids=${'12345678-1234-1234-1234-123456789012,'.repeat(500)}`.slice(0, -1);
    expect((await sendRequest(sample.url, path)).status).toBe(200);
    expectRawProblem(await sendRequest(sample.url, target(32 * KIB)), 'invalid');
  });

  it.each([32 * KIB + 1, 50 * KIB, 55 * KIB])('refuses a target of %i bytes', async (bytes) => {
    expectRawProblem(await sendRequest(sample.url, target(bytes)), 'uri_too_long');
  });

  it.each([57 * KIB, 80 * KIB, 300 * KIB])(
    'refuses a target of %i bytes, which Node does not read',
    async (bytes) => {
      const answer = await refusal(`GET ${target(bytes)} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expectRawProblem(answer, 'uri_too_long');
    },
  );

  it('takes header fields of 16 KiB', async () => {
    // Host, Connection and their separators are counted as well.
    const answer = await sendRequest(sample.url, '/health/live', {
      headers: { 'X-Long': 'x'.repeat(16 * KIB - 100) },
    });
    expect(answer.status).toBe(200);
  });

  it.each([17 * KIB, 50 * KIB])('refuses header fields of %i bytes', async (bytes) => {
    const headers = { 'X-Long': 'x'.repeat(bytes) };
    expectRawProblem(await sendRequest(sample.url, '/health/live', { headers }), 'headers_too_large');
    expectRawProblem(await sendRequest(sample.url, '/api/v1/Thing', { method: 'POST', headers }), 'headers_too_large');
  });

  it.each([60 * KIB, 200 * KIB])(
    'refuses header fields of %i bytes, which Node does not read',
    async (bytes) => {
      const answer = await refusal(
        `GET /health/live HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(bytes)}\r\n\r\n`,
      );
      expectRawProblem(answer, 'headers_too_large');
    },
  );

  it('refuses many small fields, and does not drop the last of them', async () => {
    const fields = Array.from({ length: 3000 }, (_, index) => `a${index}: 1\r\n`).join('');
    expectRawProblem(
      await refusal(`GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields}\r\n`),
      'headers_too_large',
    );
  });
});
