import { group, type ListedRequest } from './request.js';
import { API } from './seeds.js';

const KIB = 1024;
const ID = 'X-Request-Id: {{request id}}\r\n';
const HOST = `Host: prices.example\r\n${ID}`;
const LIVE = `GET /health/live HTTP/1.1\r\n${HOST}\r\n`;
const BODY = '{"commodity_name":"Framed"}';

const head = (method: string, target: string, ...fields: string[]) =>
  `${method} ${target} HTTP/1.1\r\n${HOST}${fields.map((field) => `${field}\r\n`).join('')}\r\n`;
const post = (...fields: string[]) =>
  head('POST', `${API}/Commodity/`, 'Content-Type: application/json', ...fields);
const TOKEN = 'Authorization: Bearer {{access}}';

/** Single requests, and what is wrong with each. */
const BROKEN: Readonly<Record<string, string | Buffer>> = {
  'a line that is no request': 'what is this\r\n\r\n',
  'an unknown method': `FOO / HTTP/1.1\r\n${HOST}\r\n`,
  'a method in small letters': `get /health/live HTTP/1.1\r\n${HOST}\r\n`,
  'another protocol': `GET / HTTP/9.9\r\n${HOST}\r\n`,
  'HTTP/2.0': `GET / HTTP/2.0\r\n${HOST}\r\n`,
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'no protocol': 'GET /health/live\r\n\r\n',
  'no target': `GET  HTTP/1.1\r\n${HOST}\r\n`,
  'two blanks': `GET  /health/live HTTP/1.1\r\n${HOST}\r\n`,
  'a target without slash': head('GET', 'health/live'),
  'an asterisk': head('OPTIONS', '*'),
  'a field without colon': head('GET', '/health/live', 'broken'),
  'a field without name': head('GET', '/health/live', ': x'),
  'a control character in a field': head('GET', '/health/live', 'A: b\0c'),
  'a blank before the colon': head('GET', '/health/live', 'Transfer-Encoding : chunked'),
  'a folded field': head('GET', '/health/live', 'A: b\r\n c'),
  'lines that end in LF': `GET /health/live HTTP/1.1\n${HOST.replaceAll('\r', '')}\n`,
  'an empty line first': `\r\n${LIVE}`,
  'a target that is not ASCII': Buffer.from(
    `GET ${API}/Commodity/?name=S\u00e3o HTTP/1.1\r\nHost: x\r\n\r\n`,
    'latin1',
  ),
  'a blank in the target': head('GET', `${API}/Commodity/?name=a b`),
  'no Host': `GET /health/live HTTP/1.1\r\n${ID}\r\n`,
  'two Hosts': `GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n${ID}\r\n`,
  'two equal Hosts': `GET /health/live HTTP/1.1\r\nHost: a\r\nHost: a\r\n${ID}\r\n`,
  'an empty Host': `GET /health/live HTTP/1.1\r\nHost:\r\n${ID}\r\n`,
  'a Host with a path': `GET /health/live HTTP/1.1\r\nHost: a/b\r\n${ID}\r\n`,
  'a Host with markup': `GET /health/live HTTP/1.1\r\nHost: "><script>\r\n${ID}\r\n`,
  'a Host with a user': `GET /health/live HTTP/1.1\r\nHost: user@a\r\n${ID}\r\n`,
  'no Host, at an unknown address': `GET /nothing HTTP/1.1\r\n${ID}\r\n`,
  'HTTP/1.0': `GET /health/live HTTP/1.0\r\n${ID}\r\n`,
  'HTTP/1.0 with a Host': `GET ${API}/Commodity/?page_size=1 HTTP/1.0\r\n${HOST}\r\n`,
  'HTTP/1.0, kept': `GET ${API}/Commodity/?page_size=1 HTTP/1.0\r\n${HOST}Connection: keep-alive\r\n\r\n`,
  'HTTP/1.0, streamed': `GET ${API}/PriceSerie/?page_size=1000 HTTP/1.0\r\n${HOST}\r\n`,
  'HTTP/1.0, streamed and compressed': `GET ${API}/FxRate/ HTTP/1.0\r\n${HOST}Accept-Encoding: gzip\r\n\r\n`,
  'a target with scheme and host': head('GET', `http://other.example${API}/Commodity/?page_size=1&_=1`),
  'a target with another scheme': head('GET', `ftp://other.example${API}/Commodity/`),
  'a target with scheme and no path': head('GET', 'http://other.example'),
  'Connection: close': head('GET', `${API}/Commodity/?page_size=1`, 'Connection: close'),
  'Connection: close, and rejected': head('GET', `${API}/Commodity/?page=0`, 'Connection: close'),
  'an upgrade': head('GET', '/health/live', 'Connection: Upgrade', 'Upgrade: websocket'),
  'an upgrade to HTTP/2': head(
    'GET',
    '/health/live',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: x',
  ),
  'another expectation': head('GET', '/health/live', 'Expect: miracles'),
  '100-continue on a GET': head('GET', '/health/live', 'Expect: 100-continue'),
};

/** The same of POST. */
const BROKEN_POSTS: Readonly<Record<string, string>> = {
  'both length and chunks': `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  'two lengths': `${post('Content-Length: 5', 'Content-Length: 6')}hello`,
  'two equal lengths': `${post('Content-Length: 5', 'Content-Length: 5')}hello`,
  'a negative length': post('Content-Length: -5'),
  'a length that is no number': post('Content-Length: five'),
  'a length that is too large a number': post('Content-Length: 99999999999999999999'),
  'another transfer encoding': `${post(TOKEN, 'Transfer-Encoding: gzip')}${BODY}`,
  'two transfer encodings': `${post(TOKEN, 'Transfer-Encoding: gzip, chunked')}1b\r\n${BODY}\r\n0\r\n\r\n`,
  'chunked in capitals': `${post(TOKEN, 'Transfer-Encoding: CHUNKED')}2\r\n[]\r\n0\r\n\r\n`,
  'a bad chunk': `${post(TOKEN, 'Transfer-Encoding: chunked')}5\r\n{"com\r\nzz\r\n`,
  'a bad chunk without a token': `${post('Transfer-Encoding: chunked')}5\r\n{"com\r\nzz\r\n`,
  'a chunk that is too long': `${post(TOKEN, 'Transfer-Encoding: chunked')}2\r\n[]xx\r\n0\r\n\r\n`,
  'chunks with extensions': `${post(TOKEN, 'Transfer-Encoding: chunked')}2;a=b\r\n[]\r\n0\r\n\r\n`,
  'chunk extensions without end': `${post(TOKEN, 'Transfer-Encoding: chunked')}2;${'a'.repeat(20 * KIB)}`,
  'chunks with trailers': `${post(TOKEN, 'Transfer-Encoding: chunked')}2\r\n[]\r\n0\r\nX-Trailer: 1\r\n\r\n`,
  'a length of nothing': post(TOKEN, 'Content-Length: 0'),
  'neither length nor chunks': post(TOKEN),
  'a body that is too long, announced': post(TOKEN, `Content-Length: ${200 * KIB}`),
  'a body that is too long, announced without a token': post(`Content-Length: ${200 * KIB}`),
  'a long body expected': post(TOKEN, `Content-Length: ${200 * KIB}`, 'Expect: 100-continue'),
  'a body expected without a token': post('Content-Length: 10', 'Expect: 100-continue'),
  'a body of the wrong type expected': head(
    'POST',
    `${API}/Commodity/`,
    TOKEN,
    'Content-Type: text/plain',
    'Content-Length: 9',
    'Expect: 100-continue',
  ),
  'a body expected at an unknown address': head(
    'POST',
    '/nothing',
    'Content-Length: 10',
    'Expect: 100-continue',
  ),
  'an expectation in capitals': post(TOKEN, 'Content-Length: 200000', 'Expect: 100-CONTINUE'),
  'another expectation with a body': `${post(TOKEN, 'Content-Length: 2', 'Expect: miracles')}{}`,
};

/** Requests that need the wire itself. They come last: some of them cost time. */
export function framing(): ListedRequest[] {
  const { raw } = group('framing');
  const fields = Array.from({ length: 3000 }, (_, index) => `b${index}: 1\r\n`).join('');
  const longTarget = `${API}/PriceSerie/?search=`.padEnd(300 * KIB, 'x');
  return [
    ...Object.entries(BROKEN).map(([label, bytes]) => raw(label, [bytes], { timeoutMs: 3000 })),
    ...Object.entries(BROKEN_POSTS).map(([label, bytes]) =>
      raw(label, [bytes], { methods: ['POST'], timeoutMs: 3000 }),
    ),
    raw('a CONNECT', [`CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n`], {
      methods: ['CONNECT'],
    }),
    raw('a target of 300 KiB', [`GET ${longTarget} HTTP/1.1\r\n${HOST}\r\n`]),
    raw('a field of 300 KiB', [head('GET', '/health/live', `X-Long: ${'x'.repeat(300 * KIB)}`)]),
    raw('3000 small fields', [`GET /health/live HTTP/1.1\r\n${HOST}${fields}\r\n`]),
    raw(
      'a body that is expected and sent',
      [post(TOKEN, `Content-Length: ${BODY.length}`, 'Expect: 100-continue'), BODY],
      {
        methods: ['POST'],
      },
    ),
    raw(
      'a body in two pieces',
      [`${post(TOKEN, `Content-Length: ${BODY.length}`)}${BODY.slice(0, 9)}${BODY.slice(9)}`],
      {
        methods: ['POST'],
      },
    ),
    raw('two requests at once', [LIVE + head('GET', `${API}/Commodity/?page_size=1`)], {
      methods: ['GET', 'GET'],
    }),
    raw(
      'a cached, a plain, a rejected and a last request at once',
      [
        head('GET', `${API}/Commodity/?page_size=1`) +
          LIVE +
          head('GET', '/nothing') +
          head('HEAD', `${API}/Commodity/`) +
          head('GET', `${API}/Commodity/?page_size=1`, 'Connection: close'),
      ],
      { methods: ['GET', 'GET', 'GET', 'HEAD', 'GET'] },
    ),
    raw(
      'a short body that is not read, and the next request',
      [`${post(`Content-Length: ${BODY.length}`)}${BODY}${LIVE}`],
      { methods: ['POST', 'GET'] },
    ),
    raw('a broken request after a good one', [`${LIVE}nonsense\r\n\r\n`], { methods: ['GET', 'GET'] }),
    raw('a streamed reply and another', [head('GET', `${API}/PriceSeriePrice/?latest=3`) + LIVE], {
      methods: ['GET', 'GET'],
    }),
    raw('one connection, one request after the other', [LIVE, head('GET', '/nothing'), LIVE], {
      methods: ['GET', 'GET', 'GET'],
    }),
    raw('a head that does not come', [`GET /health/live HTTP/1.1\r\n${HOST}`], { timeoutMs: 60_000 }),
    raw('a body that does not come', [`${post(TOKEN, 'Content-Length: 50')}{"com`], {
      methods: ['POST'],
      timeoutMs: 60_000,
    }),
  ];
}
