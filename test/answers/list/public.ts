import { preparations } from './preparations.js';
import { group, type ListedRequest } from './request.js';
import { API, FPMA, SERIES } from './seeds.js';

/** Settings of the third service: it knows its public address. */
export const publicSettings = { PUBLIC_URL: 'https://public.example' };

/**
 * Requests of the third service: links, `Location`, addresses of problems, and the API document.
 */
export function publicAddress(): ListedRequest[] {
  const { request, read, write, raw } = group('public address');
  const hosts = ['prices.example', 'other.example', '127.0.0.1:3000'];
  const targets = [
    `${API}/Commodity/?page_size=2&page=2`,
    `${API}/PriceSerie/?page_size=1`,
    `${FPMA}/FpmaSeriePrice/?uuid__in=${SERIES.daily},${SERIES.weekly}&page_size=1&latest=1`,
    `${API}/Commodity/?page=0`,
    '/nothing',
    '/problems/invalid',
    '/openapi.json',
    '/docs',
    '/docs/start.js',
    '/health/ready',
  ];
  const commodity = { commodity_name: 'Public' };
  return [
    ...preparations(),
    ...hosts.flatMap((host) =>
      targets.map((target) => read(target, { label: `GET ${target} at ${host}`, headers: [['Host', host]] })),
    ),
    ...['X-Forwarded-Host', 'X-Forwarded-Proto'].map((name) =>
      read(targets[0]!, { label: `${name} of a stranger`, headers: [[name, 'evil.example']] }),
    ),
    write('POST', `${API}/Commodity/`, { label: 'made', body: commodity }),
    write('POST', `${API}/Commodity/`, { label: 'made again', body: commodity }),
    write('POST', `${FPMA}/Commodity`, {
      label: 'made at the address of FPMA',
      body: { name: 'Public, too' },
    }),
    request('POST', `${API}/Commodity/`, { label: 'without a token', body: commodity }),
    request('OPTIONS', `${API}/Commodity/`),
    raw('a broken request', ['what is this\r\n\r\n']),
    raw('no Host', ['GET /health/live HTTP/1.1\r\n\r\n']),
    raw('a CONNECT', ['CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'], {
      methods: ['CONNECT'],
    }),
  ].map((request) => ({ ...request, id: `public/${request.id}` }));
}
