import { group, type ListedRequest } from './request.js';
import { API, FPMA, SERIES } from './seeds.js';

const PATHS = [
  '/',
  '/api',
  '/api/v1',
  '/api/v1/',
  '/api/v2/Commodity/',
  '/API/v1/Commodity/',
  '/api/v1/commodity/',
  '/api/v1/COMMODITY/',
  '/api/v1//Commodity/',
  '//api/v1/Commodity/',
  '/api/v1/Commodity//',
  '/api/v1/Commodity/1//',
  '/api/v1/Commodity/1/2',
  '/api/v1/Commodity;x=1/',
  '/api/v1/Commodity/..',
  '/api/v1/Commodity/../Source/',
  '/api/v1/./Commodity/',
  '/api/v1/%43ommodity/',
  '/api%2Fv1/Commodity/',
  '/api/v1/Commodity/%31/',
  '/api/v1/Commodity/1%2F',
  '/api/v1/Commodity/1%20/',
  '/api/v1/Commodity/%zz/',
  '/api/v1/Commodity/%FF/',
  '/api/v1/Commodity/a%00b/',
  '/api/v1/Commodity/%C3%A9/',
  '/%0d%0a',
  '/%',
  '/%E0%A4%A',
  '/api/v1/Commodity/?',
  '/api/v1/Commodity?',
  '/api/v1/Commodity/??',
  '/api/v1/Commodity/?&',
  '/api/v1/Commodity/#fragment',
  '/api/v1/Commodity/1/?x=1',
  '/api/v1/Commodity/1/?_=1',
  '/api/v1/Commodity/1/?format=json',
  '/api/v1/Commodity/1/?format=csv',
  '/favicon.ico',
  '/robots.txt',
  '/index.html',
  '/docs/index.html',
  '/docs/../package.json',
  '/docs/..%2f..%2fpackage.json',
  '/docs/__proto__',
  '/docs/constructor',
  '/docs/',
  '/docs/?x=1',
  '/docs//start.js',
  '/openapi.json?x=1',
  '/openapi.yaml',
  '/problems',
  '/problems/',
  '/problems/unknown',
  '/problems/__proto__',
  '/problems/constructor',
  '/problems/%zz',
  '/problems/INVALID',
  '/health',
  '/health/',
  '/health/live?x=1',
  '/health/ready?format=json',
  '/giews/v4/price_module/api/v1',
  '/giews/v4/price_module/api/v1/Import/',
  '/giews/v4/price_module/api/v1/AuditLog/',
  '/giews/v4/price_module/api/auth/login/',
  '/giews/v5/price_module/api/v1/Commodity/',
  '/api/auth',
  '/api/auth/login/extra',
  '/api/v1/PriceSeriePrice/x/y/z',
];

/** Codes of problems that the API documents. */
const PROBLEMS = [
  'bad_request',
  'invalid',
  'parse_error',
  'not_authenticated',
  'token_not_valid',
  'authentication_failed',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'not_acceptable',
  'request_timeout',
  'duplicate',
  'in_use',
  'reference_missing',
  'calculated',
  'import_running',
  'idempotency_in_progress',
  'precondition_failed',
  'too_large',
  'uri_too_long',
  'unsupported_media_type',
  'expectation_failed',
  'idempotency_mismatch',
  'precondition_required',
  'throttled',
  'headers_too_large',
  'error',
  'unavailable',
  'storage_unavailable',
  'newer_schema',
  'outcome_unknown',
  'timeout',
];

const IDS = [
  'abc',
  '0',
  '-0',
  '-1',
  '01',
  '1.0',
  '1e3',
  '0x1',
  '+1',
  '2147483647',
  '2147483648',
  '99999999999999999999',
  '1,2',
  '*',
  'null',
];

const KIB = 1024;

/** Targets: letter case, slashes, encoding, unknown and bad ids, length. */
export function targets(): ListedRequest[] {
  const { request, read } = group('target');
  const fill = (bytes: number) => `${API}/PriceSerie/?admin_units=x&search=`.padEnd(bytes, 'x');
  const sizes = [32 * KIB, 32 * KIB + 1, 33 * KIB, 50 * KIB, 57 * KIB, 80 * KIB];
  const fields = [8 * KIB, 15 * KIB, 16 * KIB, 17 * KIB, 50 * KIB, 60 * KIB, 200 * KIB];
  const uuids = Array<string>(500).fill(SERIES.daily).join(',');
  return [
    ...PATHS.map((path) => read(path)),
    ...PATHS.slice(0, 12).flatMap((path) => [
      request('HEAD', path),
      request('OPTIONS', path),
      request('POST', path, { body: {} }),
    ]),
    ...PROBLEMS.map((code) => read(`/problems/${code}`)),
    ...['Commodity', 'FxRate', 'Market'].flatMap((table) => IDS.map((id) => read(`${API}/${table}/${id}/`))),
    ...sizes.map((bytes) => request('GET', fill(bytes), { label: `a target of ${bytes} bytes` })),
    request('POST', fill(33 * KIB), { label: 'a long target, POST', body: {} }),
    read(`${API}/PriceSerie/?uuids=${uuids}`, { label: 'a long target that is fine' }),
    request('GET', `/api/v1/${'x'.repeat(33 * KIB)}`, { label: 'a long path' }),
    ...fields.map((bytes) =>
      request('GET', `${API}/Commodity/1/`, {
        label: `a field of ${bytes} bytes`,
        headers: [['X-Long', 'x'.repeat(bytes)]],
      }),
    ),
    request('GET', `${API}/Commodity/1/`, {
      label: '3000 fields',
      headers: Array.from({ length: 3000 }, (_, index) => [`a${index}`, '1'] as const),
    }),
    request('GET', fill(33 * KIB), {
      label: 'a long target and a long field',
      headers: [['X-Long', 'x'.repeat(17 * KIB)]],
    }),
    ...[
      'evil.example',
      'prices.example:8080',
      'PRICES.example',
      '[::1]:3000',
      'a_b.example',
      'xn--caf-dma.example',
    ].map((host) =>
      read(`${API}/Commodity/?page_size=2`, { label: `Host: ${host}`, headers: [['Host', host]] }),
    ),
    ...requestIds(),
    ...forwarded(),
    read(`${API}/Commodity/?page_size=2`, { label: 'a body on a GET', body: { x: 1 } }),
    read(`${API}/Commodity/?page_size=2`, {
      label: 'a chunked body on a GET',
      body: 'x',
      type: null,
      chunked: true,
    }),
    read(`${API}/Commodity/1/`, {
      label: 'a method override',
      headers: [['X-HTTP-Method-Override', 'DELETE']],
    }),
    read(`${API}/Commodity/1/?_method=DELETE`),
    read(`${FPMA}/Commodity/?page_size=2&token=abc`),
  ];
}

/** Ids that clients give their requests: kept where harmless. */
function requestIds(): ListedRequest[] {
  const { request } = group('request id');
  const ids = ['a.B-9_', 'x'.repeat(64), 'x'.repeat(65), '', 'a b', 'a"b', 'é', '../..', 'a,b'];
  return ids.map((id) => request('GET', '/api/v1/nothing', { label: id, headers: [['X-Request-Id', id]] }));
}

/** Headers of proxies; they count from trusted ones alone. */
function forwarded(): ListedRequest[] {
  const { read } = group('forwarded');
  return [
    ['X-Forwarded-Host', 'evil.example'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-For', '192.0.2.1'],
    ['Forwarded', 'host=evil.example;proto=https'],
    ['X-Original-URL', '/api/v1/Source/'],
    ['X-Rewrite-URL', '/api/v1/Source/'],
  ].map(([name = '', value = '']) =>
    read(`${API}/Commodity/?page_size=2`, { label: `${name}: ${value}`, headers: [[name, value]] }),
  );
}
