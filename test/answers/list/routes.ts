import { group, type ListedRequest } from './request.js';
import { PREFIXES, SERIES, TABLES } from './seeds.js';

/** A price that the sample has; its id is kept by `preparations`. */
const POINT = `${SERIES.daily}/{{point}}`;

/** Resources under every price prefix. */
const PRICE_PATHS: readonly string[] = [
  ...TABLES.flatMap(({ name }) => [name, `${name}/{{first ${name}}}`]),
  'PriceSerie',
  'PriceSerieDomestic',
  'PriceSerieInternational',
  `PriceSerie/${SERIES.daily}`,
  'PriceSeriePrice',
  `PriceSeriePrice/${SERIES.daily}`,
  `PriceSeriePrice/${POINT}`,
  'FpmaSerie',
  'FpmaSerieDomestic',
  'FpmaSerieInternational',
  'FpmaSeriePrice',
  `FpmaSeriePrice/${SERIES.daily}`,
];

const OTHER_PATHS: readonly string[] = [
  '/api/v1/Import',
  '/api/v1/AuditLog',
  '/api/auth/login',
  '/api/auth/refresh',
  '/api/auth/logout',
  '/api/auth/me',
  '/health/live',
  '/health/ready',
  '/problems/invalid',
  '/openapi.json',
  '/openapi-fpma.json',
  '/docs',
  '/docs/start.js',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
  '/docs/favicon-32x32.png',
];

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'] as const;
const WITH_BODY: readonly string[] = ['POST', 'PUT', 'PATCH'];

const { request } = group('routes');

/** Every address, with and without its last slash, with every method, without a token. */
export function routes(): ListedRequest[] {
  const paths = [
    ...PREFIXES.flatMap((prefix) => PRICE_PATHS.map((path) => `${prefix}/${path}`)),
    ...OTHER_PATHS,
  ];
  return paths.flatMap((path) =>
    [path, `${path}/`].flatMap((target) => METHODS.map((method) => one(method, target))),
  );
}

function one(method: string, path: string): ListedRequest {
  const isRead = method === 'GET' || method === 'HEAD';
  // All prices there are would come to a megabyte each time.
  const long = isRead && /SeriePrice\/?$/.test(path);
  const target = long ? `${path}?latest=1` : path;
  return request(method, target, {
    label: `${method} ${path}`,
    repeat: method === 'GET',
    ...(WITH_BODY.includes(method) ? { body: {} } : {}),
  });
}
