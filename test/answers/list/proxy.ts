import { createHash } from 'node:crypto';
import { ADMIN } from '../service/service.js';
import { MAINTAINER } from './accounts.js';
import { OURS, origins } from './origins.js';
import { login, preparations } from './preparations.js';
import { bearer, group, captureHeader, captureJson, type Headers, type ListedRequest } from './request.js';
import { API, FPMA } from './seeds.js';

/**
 * Settings of the second service: behind a proxy, strict, and with throttles that are soon used up.
 */
export const proxySettings = {
  TRUST_PROXY: 'loopback',
  CORS_ORIGINS: `${OURS}, https://also-ours.example`,
  STRICT_WRITES: 'on',
  THROTTLE_READS: '10',
  THROTTLE_WRITES: '25',
  THROTTLE_UNAUTHENTICATED: '25',
  THROTTLE_REFRESHES: '3',
};

const LIST = `${API}/Commodity/?page_size=2`;

/** What `X-Forwarded-*` change, with a proxy that is trusted. */
const FORWARDED: readonly Headers[] = [
  [['X-Forwarded-Host', 'public.example']],
  [['X-Forwarded-Proto', 'https']],
  [
    ['X-Forwarded-Host', 'public.example'],
    ['X-Forwarded-Proto', 'https'],
  ],
  [['X-Forwarded-Host', 'public.example, inner.example']],
  [['X-Forwarded-Host', 'public.example:8443']],
  [['X-Forwarded-Host', '"><script>']],
  [['X-Forwarded-Host', 'a/b']],
  [['X-Forwarded-Host', '']],
  [['X-Forwarded-Proto', 'https, http']],
  [['X-Forwarded-Proto', 'HTTPS']],
  [['X-Forwarded-Proto', 'gopher']],
  [['X-Forwarded-Port', '8443']],
  [['X-Forwarded-Prefix', '/prices']],
  [['Forwarded', 'host=public.example;proto=https']],
  [
    ['X-Forwarded-Host', 'public.example'],
    ['X-Forwarded-Host', 'other.example'],
  ],
];

/**
 * Requests of the second service. Each comes from an address of its own, unless it is to be
 * throttled.
 */
export function proxy(): ListedRequest[] {
  return [...preparations(), ...strict(), ...forwarded(), ...origins('listed origin'), ...throttled()].map(
    (request) => withAddress({ ...request, id: `proxy/${request.id}` }),
  );
}

/** An address that follows from the id, so that it stays when other requests come or go. */
function withAddress(request: ListedRequest): ListedRequest {
  if (request.headers.some(([name]) => name === 'X-Forwarded-For')) return request;
  const [one = 0, two = 0, three = 0] = createHash('sha256').update(request.id).digest();
  return { ...request, headers: [...request.headers, ['X-Forwarded-For', `10.${one}.${two}.${three}`]] };
}

function forwarded(): ListedRequest[] {
  const { read, request } = group('forwarded');
  const targets = [LIST, `${FPMA}/FpmaSerie/?page_size=1&page=2`, '/nothing', '/openapi.json?x=1', '/docs'];
  return FORWARDED.flatMap((headers) => {
    const label = headers.map(([name, value]) => `${name}: ${value}`).join(', ');
    return [
      ...targets.map((target) => read(target, { label: `GET ${target} ${label}`, headers })),
      request('OPTIONS', LIST, { label: `OPTIONS ${label}`, headers }),
    ];
  });
}

/** `STRICT_WRITES`: no change without `If-Match`. */
function strict(): ListedRequest[] {
  const { write } = group('strict');
  const list = `${API}/Commodity/`;
  const record = `${list}{{strict}}/`;
  const body = { commodity_name: 'Strict' };
  return [
    write('POST', list, {
      body,
      capture: (reply, json) => ({
        ...captureHeader('tag', 'etag')(reply, json),
        ...captureJson({ strict: 'id' })(reply, json),
      }),
    }),
    write('PUT', record, { label: 'PUT without a condition', body }),
    write('PATCH', record, { label: 'PATCH without a condition', body: { commodity_category: 'x' } }),
    write('PATCH', record, { label: 'a bad PATCH without a condition', body: { unknown: 1 } }),
    write('DELETE', record, { label: 'DELETE without a condition' }),
    write('DELETE', `${list}999999/`, { label: 'DELETE of nothing without a condition' }),
    write('PATCH', record, {
      label: 'If-None-Match',
      body: { commodity_category: 'x' },
      headers: [['If-None-Match', '"9"']],
    }),
    write('PATCH', record, {
      label: 'an old tag',
      body: { commodity_category: 'x' },
      headers: [['If-Match', '"0"']],
    }),
    write('PATCH', record, {
      label: 'any tag',
      body: { commodity_category: 'y' },
      headers: [['If-Match', '*']],
    }),
    write('DELETE', record, { label: 'DELETE with any tag', headers: [['If-Match', '*']] }),
  ];
}

/** Reads, writes and refreshes until there are no more. */
function throttled(): ListedRequest[] {
  const { request } = group('throttle');
  const from = (address: string): Headers => [['X-Forwarded-For', address]];
  const times = <T>(count: number, make: (n: number) => T) =>
    Array.from({ length: count }, (_, n) => make(n + 1));
  return [
    ...times(12, (n) => request('GET', LIST, { label: `read ${n}`, headers: from('192.0.2.1') })),
    request('HEAD', LIST, { label: 'a read by HEAD', headers: from('192.0.2.1') }),
    request('GET', '/nothing', { label: 'an unknown address after the limit', headers: from('192.0.2.1') }),
    request('GET', `${LIST}&x=1`, { label: 'a bad read after the limit', headers: from('192.0.2.1') }),
    request('GET', LIST, {
      label: 'Accept rules all out after the limit',
      headers: [...from('192.0.2.1'), ['Accept', 'image/png']],
    }),
    request('OPTIONS', LIST, { label: 'OPTIONS after the limit', headers: from('192.0.2.1') }),
    request('PATCH', LIST, {
      label: 'a method that is not offered after the limit',
      body: {},
      headers: from('192.0.2.1'),
    }),
    request('GET', '/health/live', { label: 'health after the limit', headers: from('192.0.2.1') }),
    request('GET', LIST, {
      label: 'a chain of proxies after the limit',
      headers: from('203.0.113.9, 192.0.2.1'),
    }),
    request('GET', LIST, {
      label: 'a forged chain after the limit',
      headers: from('192.0.2.1, 203.0.113.9'),
    }),
    request('GET', LIST, { label: 'an address that is none', headers: from('unknown') }),
    ...times(11, (n) =>
      request('GET', LIST, { label: `read of one network ${n}`, headers: from(`2001:db8::${n}`) }),
    ),
    request('GET', LIST, { label: 'read of another network', headers: from('2001:db8:0:1::1') }),
    ...times(27, (n) =>
      request('POST', `${API}/Commodity/`, {
        label: `write without a token ${n}`,
        body: {},
        headers: from('192.0.2.2'),
      }),
    ),
    // The account is the maintainer's: nothing was written by it before.
    login('login of the maintainer', MAINTAINER, { maintainer: 'access' }),
    ...times(27, (n) =>
      request('POST', `${API}/Commodity/`, {
        label: `write ${n}`,
        body: { unknown: n },
        headers: bearer('maintainer'),
      }),
    ),
    ...times(27, (n) =>
      request('POST', `${API}/Commodity/`, {
        label: `write from one address ${n}`,
        body: { unknown: n },
        headers: [...bearer('access'), ...from('192.0.2.6')],
      }),
    ),
    ...times(5, (n) =>
      request('POST', '/api/auth/refresh/', {
        label: `refresh ${n}`,
        body: { refresh: 'x.y.z' },
        headers: from('192.0.2.3'),
      }),
    ),
    request('POST', '/api/auth/logout/', {
      label: 'logout',
      body: { refresh: 'x.y.z' },
      headers: from('192.0.2.3'),
    }),
    ...times(12, (n) =>
      request('POST', '/api/auth/login/', {
        label: `login ${n}`,
        body: { username: 'locked', password: 'not the right one at all' },
        headers: from('192.0.2.4'),
      }),
    ),
    request('POST', '/api/auth/login/', {
      label: 'the same name from elsewhere',
      body: { username: 'locked', password: 'not the right one at all' },
      headers: from('192.0.2.5'),
    }),
    request('POST', '/api/auth/login/', { label: 'another name', body: ADMIN, headers: from('192.0.2.4') }),
    request('GET', '/api/auth/me/', { label: 'me after the writes', headers: bearer('access') }),
  ];
}
