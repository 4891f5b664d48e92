import { bearer, group, type ListedRequest } from './request.js';
import { API, FPMA, SERIES } from './seeds.js';

/** The origin that the second service has in CORS_ORIGINS. */
export const OURS = 'https://ours.example';

const ORIGINS = [
  OURS,
  'https://theirs.example',
  'null',
  'HTTPS://OURS.EXAMPLE',
  `${OURS}/`,
  'http://ours.example',
  '',
];

const TARGETS = [
  `${API}/Commodity/`,
  `${API}/Commodity/1/`,
  `${FPMA}/FpmaSerie/?page_size=1`,
  `${API}/PriceSeriePrice/${SERIES.daily}/{{point}}/`,
  `${API}/Import/`,
  `${API}/AuditLog/`,
  '/api/auth/login/',
  '/api/auth/me/',
  '/health/live',
  '/openapi.json',
  '/docs',
  '/nothing',
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'patch', ''];

/** Scripts of other origins: simple reads, writes, and preflights of each method. */
export function origins(name: string): ListedRequest[] {
  const { request } = group(name);
  return TARGETS.flatMap((target) => [
    ...ORIGINS.flatMap((origin) => [
      // The API document is long, and the same for all of them.
      request('GET', target, { label: `GET ${target} from ${origin}`, headers: [['Origin', origin]] }),
      request('OPTIONS', target, {
        label: `OPTIONS ${target} from ${origin}`,
        headers: [['Origin', origin]],
      }),
    ]),
    ...[OURS, 'https://theirs.example'].flatMap((origin) => [
      ...METHODS.map((method) =>
        request('OPTIONS', target, {
          label: `preflight ${method} ${target} from ${origin}`,
          headers: [
            ['Origin', origin],
            ['Access-Control-Request-Method', method],
            ['Access-Control-Request-Headers', 'authorization, content-type, x-custom'],
          ],
        }),
      ),
      request('POST', target, {
        label: `POST ${target} from ${origin}`,
        body: {},
        headers: [['Origin', origin]],
      }),
      request('PATCH', target, {
        label: `PATCH ${target} from ${origin} with a token`,
        body: { unknown: 1 },
        headers: [...bearer('access'), ['Origin', origin]],
      }),
    ]),
  ]);
}
