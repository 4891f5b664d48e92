import fc from 'fast-check';
import { assertProperty } from '../support/property.js';
import { sendRequest, exchangeRaw, expectRawProblem, parseRawResponse } from '../support/http.js';
import { type SampleApp, startSampleApp } from './sample-app.js';

let sample: SampleApp;
beforeAll(async () => (sample = await startSampleApp({ limits: { headersMs: 300 } })));
afterAll(() => sample.app.close());

const KIB = 1024;
const live = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** Sends bytes over a new connection, and returns the response that closes it. */
const exchange = async (...chunks: string[]) => {
  const response = parseRawResponse(await exchangeRaw(sample.port, chunks));
  expect(response.headers.connection).toBe('close');
  return response;
};

describe('B18: malformed requests', () => {
  it.each([
    ['a line that is not a request line', 'what is this\r\n\r\n'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown protocol version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header field without a colon', 'GET /health/live HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a control character in a header field', 'GET /health/live HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n'],
    [
      'a blank before the colon of a header field',
      'GET /health/live HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n',
    ],
    [
      'both Content-Length and Transfer-Encoding',
      'POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two values of Content-Length',
      'POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    ],
    ['a target that is not ASCII', 'GET /api/v1/Echo?admin_units=S\u00e3o HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a negative Content-Length', 'POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n'],
  ])('%s is rejected and closes the connection', async (_, request) => {
    expectRawProblem(await exchange(request), 'bad_request');
    expect(await exchangeRaw(sample.port, [live])).toContain('HTTP/1.1 200 OK');
  });

  it('an invalid chunk is rejected and closes the connection', async () => {
    const head = `POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer maintainer\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expectRawProblem(await exchange(`${head}5\r\n{"thi\r\nzz\r\n`), 'bad_request');
    expect(await exchangeRaw(sample.port, [live])).toContain('HTTP/1.1 200 OK');
  });

  it.each([
    ['a missing Host', ''],
    ['a second Host', 'Host: a\r\nHost: b\r\n'],
    ['an empty Host', 'Host:\r\n'],
    ['a Host with a path', 'Host: a/b\r\n'],
    ['a Host with markup', 'Host: "><script>\r\n'],
    ['a Host with a user', 'Host: user@a\r\n'],
    ['a Host like an address that is none', 'Host: 1.1.1.999\r\n'],
    ['a Host that ends like an address', 'Host: a.0x\r\n'],
    ['a Host with a port that is none', 'Host: a:99999\r\n'],
    ['a Host with an empty label', 'Host: a..b\r\n'],
    ['a Host that ends in an empty label', 'Host: a.b..:80\r\n'],
    ['a Host with an IPv6 address that is none', 'Host: [::1::2]\r\n'],
  ])('%s is rejected and closes the connection', async (_, host) => {
    const response = await exchange(`GET /health/live HTTP/1.1\r\n${host}\r\n`);
    expectRawProblem(response, 'bad_request');
  });

  it('a Host that no URL can have is rejected for every generated one', async () => {
    const label = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,12}$/);
    const number = fc.nat(2000).map(String);
    const hosts = fc.oneof(
      label,
      fc.tuple(label, fc.nat(200_000)).map(([name, port]) => `${name}:${port}`),
      fc.array(number, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.')),
      fc.stringMatching(/^\[[0-9a-f:.]{2,20}\]$/),
      fc.stringMatching(/^xn--[a-z0-9-]{0,8}$/),
    );
    await assertProperty(
      'hosts',
      fc.asyncProperty(hosts, async (host) => {
        const { status } = await sendRequest(sample.url, '/health/live', { headers: { Host: host } });
        const named = URL.canParse(`http://${host}`) && !host.includes('..');
        expect(status).toBe(named ? 200 : 400);
      }),
      { numRuns: 300 },
    );
  });

  it('a malformed request is logged like any other', async () => {
    const response = await exchange('what is this\r\n\r\n');
    const lines = sample.logLines().filter(({ id }) => id === response.headers['x-request-id']);
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        msg: 'request',
        id: response.headers['x-request-id'],
        ms: expect.any(Number),
        method: '',
        route: null,
        status: 400,
        bytes: response.bytes.length,
        network: '127.0.0.0/24',
      },
    ]);
  });

  it('HTTP/1.0 does not require a Host', async () => {
    expect(await exchangeRaw(sample.port, ['GET /health/live HTTP/1.0\r\n\r\n'])).toContain('200 OK');
  });

  it('CONNECT is rejected as a method that is not allowed', async () => {
    const response = await exchange('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n');
    expectRawProblem(response, 'method_not_allowed');
    expect(response.headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT');
  });

  it('a request for an upgrade is served without it', async () => {
    const request =
      'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n';
    expect(await exchangeRaw(sample.port, [request])).toContain('HTTP/1.1 200 OK');
  });

  it('a target with scheme and host is accepted', async () => {
    const text = await exchangeRaw(sample.port, [
      'GET http://other/api/v1/Thing/5?_=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ]);
    expect(parseRawResponse(text).text).toBe('{"id":5,"name":"item 5"}');
  });

  it('a target with a host takes the place of Host, in links and in the page cache', async () => {
    const next = async (target: string, host: string) => {
      const text = await exchangeRaw(sample.port, [
        `GET ${target}/api/v1/List?page_size=2 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      ]);
      return (JSON.parse(parseRawResponse(text).text) as { next: string }).next;
    };
    const of = (host: string) => `http://${host}/api/v1/List?page_size=2&page=2`;
    for (let time = 0; time < 3; time++) {
      expect(await next('http://proxied.example:81', 'x')).toBe(of('proxied.example:81'));
      expect(await next('', 'x')).toBe(of('x'));
    }
  });

  it.each(['http://a..b', 'http://', 'http://user@a', 'http://1.1.1.999'])(
    'a target of %s, which is no host, is rejected whatever Host says',
    async (target) => {
      const response = await exchange(`GET ${target}/health/live HTTP/1.1\r\nHost: x\r\n\r\n`);
      expectRawProblem(response, 'bad_request');
    },
  );
});

describe('F12: slow clients', () => {
  it('get a 408 when their header fields do not arrive in time', async () => {
    expectRawProblem(await exchange('GET /health/live HTTP/1.1\r\nHost: x\r\n'), 'request_timeout');
  });
});

describe('Q21: sizes of the target and the header fields', () => {
  const target = (bytes: number) => `/api/v1/Echo?admin_units=${'x,'.repeat(90)}`.padEnd(bytes, 'x');

  it('a target of 32 KiB is accepted', async () => {
    const path = `/api/v1/Echo?uuids=${'12345678-1234-1234-1234-123456789012,'.repeat(500)}`.slice(0, -1);
    expect((await sendRequest(sample.url, path)).status).toBe(200);
    expectRawProblem(await sendRequest(sample.url, target(32 * KIB)), 'invalid');
  });

  it.each([32 * KIB + 1, 50 * KIB, 55 * KIB])('a target of %i bytes is rejected', async (bytes) => {
    expectRawProblem(await sendRequest(sample.url, target(bytes)), 'uri_too_long');
  });

  it.each([57 * KIB, 80 * KIB, 300 * KIB])(
    'a target of %i bytes is rejected by the parser of Node',
    async (bytes) => {
      const response = await exchange(`GET ${target(bytes)} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expectRawProblem(response, 'uri_too_long');
    },
  );

  it('header fields of 16 KiB are accepted', async () => {
    // Host, Connection and their separators are counted as well.
    const response = await sendRequest(sample.url, '/health/live', {
      headers: { 'X-Long': 'x'.repeat(16 * KIB - 100) },
    });
    expect(response.status).toBe(200);
  });

  it.each([17 * KIB, 50 * KIB])('header fields of %i bytes are rejected', async (bytes) => {
    const headers = { 'X-Long': 'x'.repeat(bytes) };
    expectRawProblem(await sendRequest(sample.url, '/health/live', { headers }), 'headers_too_large');
    expectRawProblem(
      await sendRequest(sample.url, '/api/v1/Thing', { method: 'POST', headers }),
      'headers_too_large',
    );
  });

  it.each([60 * KIB, 200 * KIB])(
    'header fields of %i bytes are rejected by the parser of Node',
    async (bytes) => {
      const response = await exchange(
        `GET /health/live HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(bytes)}\r\n\r\n`,
      );
      expectRawProblem(response, 'headers_too_large');
    },
  );

  it('many small header fields are counted to the last one, and rejected', async () => {
    const fields = Array.from({ length: 3000 }, (_, index) => `a${index}: 1\r\n`).join('');
    expectRawProblem(
      await exchange(`GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields}\r\n`),
      'headers_too_large',
    );
  });
});
