import { sendRequest, exchangeRaw, expectRawProblem, codesOf, parseRawResponse } from '../support/http.js';
import { type SampleApp, startSampleApp } from './sample-app.js';

let sample: SampleApp;
beforeAll(async () => (sample = await startSampleApp({ limits: { bodyMs: 400 } })));
afterAll(() => sample.app.close());

const KIB = 1024;
const token = { Authorization: 'Bearer maintainer' };
const json = { ...token, 'Content-Type': 'application/json' };
const post = (body: string | Buffer, headers: Record<string, string> = json) =>
  sendRequest(sample.url, '/api/v1/Thing/', { method: 'POST', headers, body });

describe('B5: media types', () => {
  it.each([
    [{}],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }],
    [{ 'Content-Type': 'text/plain' }],
    [{ 'Content-Type': 'application/xml' }],
    [{ 'Content-Type': 'multipart/form-data; boundary=x' }],
    [{ 'Content-Type': 'application/merge-patch+json' }],
    [{ 'Content-Type': 'application/json; charset=iso-8859-1' }],
    [{ 'Content-Type': 'application/json; charset=utf-16' }],
    [{ 'Content-Type': 'json' }],
    [{ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }],
    [{ 'Content-Type': 'application/json', 'Content-Encoding': 'identity' }],
  ])('a body with the headers %j is rejected', async (headers) => {
    const response = await post('{"thing_name":"a"}', { ...token, ...headers });
    expectRawProblem(response, 'unsupported_media_type');
    expect(response.headers.accept).toBe('application/json');
  });

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=UTF-8',
    'application/json;charset="utf-8"',
  ])('%s is accepted', async (type) => {
    const response = await post('{"thing_name":"a"}', { ...token, 'Content-Type': type });
    expect([response.status, response.text]).toEqual([201, '{"id":7,"thing_name":"a"}']);
  });

  it('PATCH also accepts merge patches', async () => {
    const send = (type: string) =>
      sendRequest(sample.url, '/api/v1/Thing/1/', {
        method: 'PATCH',
        headers: { ...token, 'Content-Type': type },
        body: '{}',
      });
    expect((await send('application/merge-patch+json')).text).toBe('{}');
    const rejected = await send('text/json');
    expectRawProblem(rejected, 'unsupported_media_type');
    expect(rejected.headers.accept).toBe('application/json, application/merge-patch+json');
  });

  it('a route with a raw body has media types of its own', async () => {
    const upload = (headers: Record<string, string>) =>
      sendRequest(sample.url, '/api/v1/Upload', {
        method: 'POST',
        headers: { ...token, ...headers },
        body: 'a,b',
      });
    expect((await upload({ 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip' })).text).toBe(
      '{"bytes":3}',
    );
    expectRawProblem(await upload({ 'Content-Type': 'application/json' }), 'unsupported_media_type');
    expectRawProblem(
      await upload({ 'Content-Type': 'text/csv', 'Content-Encoding': 'br' }),
      'unsupported_media_type',
    );
  });
});

describe('B6: sizes of bodies', () => {
  const ofSize = (bytes: number) => `{"thing_name":"${'x'.repeat(bytes - 17)}"}`;

  it('accepts 100 KiB and not a byte more', async () => {
    expect(codesOf(expectRawProblem(await post(ofSize(100 * KIB)), 'invalid'))).toEqual([
      ['/thing_name', 'too_long'],
    ]);
    const rejected = await post(ofSize(100 * KIB + 1));
    expect(expectRawProblem(rejected, 'too_large').max).toBe(100 * KIB);
    expect(rejected.headers.connection).toBe('close');
  });

  it('stops reading a chunked body at the limit and closes the connection', async () => {
    const head = `POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer maintainer\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const response = parseRawResponse(
      await exchangeRaw(sample.port, [head, ...Array.from({ length: 10 }, () => chunk)]),
    );
    expectRawProblem(response, 'too_large');
    expect(response.headers.connection).toBe('close');
  });

  it('rejects a body announced with Expect: 100-continue before it is sent', async () => {
    const head = (length: number, authorization: string) =>
      `POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`;
    const bearer = 'Authorization: Bearer maintainer\r\n';
    expectRawProblem(
      parseRawResponse(await exchangeRaw(sample.port, [head(200 * KIB, bearer)])),
      'too_large',
    );
    expectRawProblem(parseRawResponse(await exchangeRaw(sample.port, [head(10, '')])), 'not_authenticated');
  });

  it('sends 100 Continue to a client that waits for it, once its headers are valid', async () => {
    const body = '{"thing_name":"a"}';
    const text = await exchangeRaw(
      sample.port,
      [
        `POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer maintainer\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
        body,
      ],
      (received) => received.includes('"thing_name"'),
    );
    expect(text.startsWith('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n')).toBe(true);
  });

  it('rejects other expectations', async () => {
    const text = await exchangeRaw(
      sample.port,
      ['GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n'],
      (received) => received.includes('urn:uuid'),
    );
    expectRawProblem(parseRawResponse(text), 'expectation_failed');
  });

  it('a route with a raw body has a limit of its own', async () => {
    const upload = (bytes: number) =>
      sendRequest(sample.url, '/api/v1/Upload', {
        method: 'POST',
        headers: { ...token, 'Content-Type': 'text/csv' },
        body: 'x'.repeat(bytes),
      });
    expect((await upload(300 * KIB)).text).toBe(`{"bytes":${300 * KIB}}`);
    expect(expectRawProblem(await upload(300 * KIB + 1), 'too_large').max).toBe(300 * KIB);
  });

  it('F12: times out when the rest of a body does not arrive', async () => {
    const head = (path: string, type: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer maintainer\r\nContent-Type: ${type}\r\nContent-Length: 50\r\n\r\n{"th`;
    for (const request of [head('/api/v1/Thing', 'application/json'), head('/api/v1/Upload', 'text/csv')]) {
      const response = parseRawResponse(await exchangeRaw(sample.port, [request]));
      expectRawProblem(response, 'request_timeout');
      expect(response.headers.connection).toBe('close');
    }
  });

  it('keeps the connection open after a short body that was not read', async () => {
    const body = '{"thing_name":"a"}';
    const unauthenticated = `POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const text = await exchangeRaw(
      sample.port,
      [unauthenticated, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'],
      (received) => received.includes('"ok"'),
    );
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  it.each([
    ['in one packet', (text: string) => [text]],
    ['byte by byte', (text: string) => [...text].map((byte) => Buffer.from(byte))],
    ['the last byte later', (text: string) => [text.slice(0, -1), text.slice(-1)]],
  ])('reads bodies that come %s, and keeps the connection open', async (_, chunksOf) => {
    const post = (body: string) =>
      `POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer maintainer\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const bodies = ['{"thing_name":"a"}', '{"thing_name":', '', '{"thing_name":"b"}', '{}'];
    const live = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
    const requests = `${bodies.map(post).join('')}${live}`;
    const text = await exchangeRaw(sample.port, chunksOf(requests), (received) => received.includes('"ok"'));
    expect(text.match(/HTTP\/1\.1 \d+|"thing_name":"\w"|Connection: close/g)).toEqual([
      'HTTP/1.1 201',
      '"thing_name":"a"',
      'HTTP/1.1 400',
      'HTTP/1.1 400',
      'HTTP/1.1 201',
      '"thing_name":"b"',
      'HTTP/1.1 400',
      'HTTP/1.1 200',
    ]);
  });

  it('closes the connection after a long body that was not read', async () => {
    const unauthenticated = `POST /api/v1/Thing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${200 * KIB}\r\n\r\n`;
    const response = parseRawResponse(
      await exchangeRaw(sample.port, [unauthenticated, 'x'.repeat(200 * KIB)]),
    );
    expectRawProblem(response, 'not_authenticated');
    expect(response.headers.connection).toBe('close');
  });
});

describe('B7: bodies that are not JSON', () => {
  it.each([
    ['', 0, 'The body is empty; it must be a JSON object.'],
    ['  \n ', 0, 'The body is empty; it must be a JSON object.'],
    ['{"a":1', 6, 'The body is not valid JSON: unexpected end at position 6.'],
    ['{"a":"x', 7, 'The body is not valid JSON: unexpected end at position 7.'],
    ['{"a":1,}', 7, 'The body is not valid JSON: syntax error at line 1, column 8 (position 7).'],
    ["{'a':1}", 1, 'The body is not valid JSON: syntax error at line 1, column 2 (position 1).'],
    ['{"a":NaN}', 5, 'The body is not valid JSON: syntax error at line 1, column 6 (position 5).'],
    ['{"a":1}\n{', 8, 'The body is not valid JSON: syntax error at line 2, column 1 (position 8).'],
    ['{"a":01}', 6, 'The body is not valid JSON: syntax error at line 1, column 7 (position 6).'],
    ['{"a":"\\x"}', 6, 'The body is not valid JSON: syntax error at line 1, column 7 (position 6).'],
    ['{"a" 1}', 5, 'The body is not valid JSON: syntax error at line 1, column 6 (position 5).'],
    ['[1 2]', 3, 'The body is not valid JSON: syntax error at line 1, column 4 (position 3).'],
    [
      '{"password":"secret word" oops',
      26,
      'The body is not valid JSON: syntax error at line 1, column 27 (position 26).',
    ],
  ])('%j is rejected with the position of the error', async (body, position, detail) => {
    const problem = expectRawProblem(await post(body), 'parse_error');
    expect(problem.detail).toBe(detail);
    expect(problem.errors).toEqual([{ in: 'body', pointer: '', code: 'parse_error', detail, position }]);
  });

  it('bytes that are not UTF-8 are rejected', async () => {
    const problem = expectRawProblem(await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])), 'parse_error');
    expect(problem.detail).toBe('The body is not UTF-8.');
  });

  it('a missing body without a media type is rejected', async () => {
    expectRawProblem(
      await sendRequest(sample.url, '/api/v1/Thing', { method: 'POST', headers: token }),
      'parse_error',
    );
  });

  it('G3: the text of a malformed body is in neither the response nor the log', async () => {
    const response = await post('{"username":"x","password":"hunter2hunter2');
    expect(response.text + sample.logText()).not.toContain('hunter2');
  });
});

describe('B8 to B15: values', () => {
  it.each(['[]', '"x"', '5', 'null', 'true', `${'['.repeat(14_000)}${']'.repeat(14_000)}`])(
    '%.20s is rejected, because it is not an object',
    async (body) => {
      const problem = expectRawProblem(await post(body), 'invalid');
      expect(problem.errors).toEqual([
        { in: 'body', pointer: '', code: 'invalid_type', detail: 'The body must be a JSON object.' },
      ]);
    },
  );

  it('a value nested 14,000 levels deep is rejected', async () => {
    const body = `{"thing_name":${'{"a":'.repeat(14_000)}1${'}'.repeat(14_000)}}`;
    expect(codesOf(expectRawProblem(await post(body), 'invalid'))).toEqual([['/thing_name', 'invalid_type']]);
  });

  it('names that are special in JavaScript are unknown fields', async () => {
    const problem = expectRawProblem(
      await post('{"thing_name":"a","__proto__":{"x":1},"constructor":1}'),
      'invalid',
    );
    expect(codesOf(problem)).toEqual([
      ['/__proto__', 'unknown_field'],
      ['/constructor', 'unknown_field'],
    ]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('violations of several fields are reported together', async () => {
    const problem = expectRawProblem(
      await post('{"thing_name":5,"thing_rate":1e400,"thing_date":"2023-02-30"}'),
      'invalid',
    );
    expect(problem.detail).toBe('3 fields are not valid.');
    expect(codesOf(problem)).toEqual([
      ['/thing_name', 'invalid_type'],
      ['/thing_rate', 'out_of_range'],
      ['/thing_date', 'invalid_date'],
    ]);
  });

  it('a number with more digits than are stored is rejected; others are returned unchanged', async () => {
    const problem = expectRawProblem(
      await post('{"thing_name":"a","thing_rate":1.00000000000000001}'),
      'invalid',
    );
    expect(codesOf(problem)).toEqual([['/thing_rate', 'out_of_range']]);
    expect((await post('{"thing_name":"a","thing_rate":123456.789012345}')).text).toContain(
      '123456.789012345',
    );
  });

  it('text is returned code point for code point, trimmed and in NFC', async () => {
    const name = '😀 שלום e\u0301';
    const response = await post(JSON.stringify({ thing_name: ` ${name} ` }));
    expect(JSON.parse(response.text)).toEqual({ id: 7, thing_name: name.normalize('NFC') });
  });
});

describe('B17: other ways to send a method, a body or a token', () => {
  it('a method override is ignored', async () => {
    const response = await sendRequest(sample.url, '/api/v1/Thing/5', {
      headers: { 'X-HTTP-Method-Override': 'DELETE' },
    });
    expect([response.status, response.text]).toEqual([200, '{"id":5,"name":"item 5"}']);
  });

  it('a body of a GET request is ignored', async () => {
    const response = await sendRequest(sample.url, '/api/v1/Thing/5', {
      body: '{"malformed',
      headers: { 'Content-Type': 'text/xml' },
    });
    expect([response.status, response.text]).toEqual([200, '{"id":5,"name":"item 5"}']);
  });

  it('a token in the query is an unknown parameter', async () => {
    const response = await sendRequest(sample.url, '/api/v1/Thing?token=x', {
      method: 'POST',
      headers: json,
      body: '{"thing_name":"a"}',
    });
    expect(codesOf(expectRawProblem(response, 'invalid'))).toEqual([['token', 'unknown_parameter']]);
  });

  it('G2: violations of parameters and of the body are reported together', async () => {
    for (const [method, path] of [
      ['POST', '/api/v1/Thing?token=x'],
      ['PUT', '/api/v1/Thing/5?token=x'],
      ['PATCH', '/api/v1/Thing/5?token=x'],
    ] as const) {
      const response = await sendRequest(sample.url, path, {
        method,
        headers: json,
        body: '{"thing_name":5}',
      });
      expect(codesOf(expectRawProblem(response, 'invalid'))).toEqual([
        ['token', 'unknown_parameter'],
        ['/thing_name', 'invalid_type'],
      ]);
    }
  });
});
