import { ADMIN } from '../service/service.js';
import { forgedTokenNames, forgedTokens } from './forged-tokens.js';
import { bearer, group, captureJson, type ListedRequest } from './request.js';
import { login } from './preparations.js';
import { API } from './seeds.js';

/** Accounts made by the service's own command before the list begins. */
export const MAINTAINER = { username: 'maria', password: 'a maintainer keeps the tables 42' };
export const DISABLED = { username: 'dora', password: 'nobody signs in with this one 42' };

/** Logins, refreshes, logouts, and every way in which a token can be wrong. */
export function accounts(): ListedRequest[] {
  return [...logins(), ...sessions(), ...roles(), ...forged(), ...lockedOut()];
}

const BODIES: readonly (string | object)[] = [
  {},
  { username: 'admin' },
  { password: 'x' },
  { username: '', password: '' },
  { username: ' ', password: ADMIN.password },
  { username: null, password: null },
  { username: 5, password: true },
  { username: ['admin'], password: { x: 1 } },
  { username: 'a'.repeat(151), password: ADMIN.password },
  { username: 'admin', password: 'x'.repeat(1025) },
  { username: 'admin', password: 'é'.repeat(513) },
  { username: 'admin\u0000', password: ADMIN.password },
  { username: 'admin', password: 'a\u0000b' },
  { ...ADMIN, remember: true },
  { ...ADMIN, user: 'admin' },
  '[]',
  '"admin"',
  '{"username":"admin","password":"hunter2 hunter2",}',
  '{"username":"admin","password":"hunter2 hunter2"',
  '',
  'username=admin&password=x',
];

function logins(): ListedRequest[] {
  const { request } = group('login');
  const address = '/api/auth/login/';
  const send = (label: string, body: string | object, more: object = {}) =>
    request('POST', address, { label, body, ...more });
  return [
    ...BODIES.map((body, index) => send(`body ${index} ${JSON.stringify(body).slice(0, 60)}`, body)),
    send('as a form', 'username=admin&password=x', { type: 'application/x-www-form-urlencoded' }),
    send('without a type', JSON.stringify(ADMIN), { type: null }),
    send('too large', JSON.stringify({ ...ADMIN, x: 'x'.repeat(200_000) })),
    send('wrong password', { username: 'admin', password: 'not the right one at all' }),
    send('unknown name', { username: 'nobody', password: 'not the right one at all' }),
    send('name in another case', { ...ADMIN, username: 'Admin' }),
    send('name with a blank', { ...ADMIN, username: 'admin ' }),
    send('a disabled account', DISABLED),
    send('right', ADMIN),
    send('right, with a parameter', ADMIN, { headers: [] }),
    request('POST', `${address}?next=/`, { label: 'an unknown parameter', body: ADMIN }),
    request('POST', `${address}?format=csv`, { label: 'as CSV', body: ADMIN }),
    send('right, compressed', ADMIN, { headers: [['Accept-Encoding', 'br, gzip']] }),
    send('right, Accept rules JSON out', ADMIN, { headers: [['Accept', 'text/html']] }),
    send('right, with a stale token', ADMIN, { headers: [['Authorization', 'Bearer stale']] }),
    send('right, in chunks', ADMIN, { chunked: true }),
  ];
}

/** Refreshing, and the end of logins. */
function sessions(): ListedRequest[] {
  const { request } = group('session');
  const refresh = (label: string, token: string, capture?: Record<string, string>) =>
    request('POST', '/api/auth/refresh/', {
      label,
      body: { refresh: token },
      ...(capture === undefined ? {} : { capture: captureJson(capture) }),
    });
  const logout = (label: string, token: string) =>
    request('POST', '/api/auth/logout/', { label, body: { refresh: token } });
  const me = (label: string, token: string) =>
    request('GET', '/api/auth/me/', { label, headers: bearer(token) });
  const bodies = [
    {},
    { refresh: '' },
    { refresh: null },
    { refresh: 5 },
    { refresh: 'x', access: 'y' },
    '[]',
    '',
  ];
  return [
    login('another login', ADMIN, { 'other access': 'access', 'other refresh': 'refresh' }),
    me('me', 'other access'),
    refresh('refreshed', '{{other refresh}}', { 'next access': 'access', 'next refresh': 'refresh' }),
    me('me with the token of before', 'other access'),
    me('me with the new token', 'next access'),
    refresh('an access token', '{{next access}}'),
    refresh('a spent token', '{{other refresh}}'),
    me('me after the reuse', 'next access'),
    refresh('the newest token after the reuse', '{{next refresh}}'),
    refresh('no token at all', 'x.y.z'),
    refresh('a long one', 'x'.repeat(5000)),
    ...['refresh', 'logout'].flatMap((name) =>
      bodies.map((body, index) =>
        request('POST', `/api/auth/${name}/`, {
          label: `${name} body ${index} ${JSON.stringify(body)}`,
          body,
        }),
      ),
    ),
    login('a third login', ADMIN, { 'third access': 'access', 'third refresh': 'refresh' }),
    logout('logged out', '{{third refresh}}'),
    logout('logged out again', '{{third refresh}}'),
    logout('an unknown token', 'x.y.z'),
    logout('logged out with an access token', '{{access}}'),
    me('me after the logout', 'third access'),
    refresh('refreshed after the logout', '{{third refresh}}'),
    me('me with the first login', 'access'),
    request('GET', '/api/auth/me/', { label: 'me without a token' }),
    request('GET', '/api/auth/me/?x=1', { label: 'me with a parameter', headers: bearer('access') }),
    request('HEAD', '/api/auth/me/', { label: 'me, HEAD', headers: bearer('access') }),
  ];
}

/** What a maintainer may do and may not. */
function roles(): ListedRequest[] {
  const { request } = group('maintainer');
  const headers = bearer('maintainer');
  const body = { commodity_name: 'Of the maintainer' };
  return [
    login('login of the maintainer', MAINTAINER, { maintainer: 'access' }),
    request('GET', '/api/auth/me/', { headers }),
    request('GET', `${API}/AuditLog/`, { headers }),
    request('HEAD', `${API}/AuditLog/`, { headers }),
    request('GET', `${API}/AuditLog/?page=0`, { headers }),
    request('GET', `${API}/AuditLog/`, { label: 'the audit trail without a token' }),
    request('GET', `${API}/AuditLog/?page=0`, { label: 'the audit trail without a token, and bad' }),
    request('POST', `${API}/Commodity/`, {
      body,
      headers,
      capture: captureJson({ 'of the maintainer': 'id' }),
    }),
    request('DELETE', `${API}/Commodity/{{of the maintainer}}/`, { headers }),
  ];
}

function forged(): ListedRequest[] {
  const { request } = group('token');
  const name = { price_type_name: 'STOLEN' };
  const prepared = login('login to forge from', ADMIN, {});
  const targets: readonly (readonly [method: string, target: string, body?: object])[] = [
    ['POST', `${API}/PriceType/`, name],
    ['PUT', `${API}/PriceType/999/`, name],
    ['PATCH', `${API}/PriceType/999/`, name],
    ['DELETE', `${API}/PriceType/999/`],
    ['POST', `${API}/Import/?format=prices&dry_run=true`, {}],
    ['GET', '/api/auth/me/'],
    ['GET', `${API}/AuditLog/?page_size=1`],
    ['GET', `${API}/PriceType/11/`],
  ];
  const send = (label: string, headers: (readonly [string, string])[]) =>
    targets.map(([method, target, body]) =>
      request(method, target, {
        label: `${label}, ${method} ${target}`,
        headers,
        ...(body === undefined ? {} : { body }),
      }),
    );
  return [
    {
      ...prepared,
      capture: (_, { access, refresh }) =>
        Object.fromEntries(
          Object.entries(forgedTokens(String(access), String(refresh))).map(([each, value]) => [
            `token ${each}`,
            value,
          ]),
        ),
    },
    // The right one would make the record.
    ...forgedTokenNames
      .filter((each) => !/right|small letters|two blanks/.test(each))
      .flatMap((each) => send(each, [['Authorization', `{{token ${each}}}`]])),
    ...['made by hand and right', 'scheme in small letters', 'two blanks'].map((each) =>
      request('GET', '/api/auth/me/', { label: each, headers: [['Authorization', `{{token ${each}}}`]] }),
    ),
    ...send('two headers', [...bearer('access'), ...bearer('access')]),
  ];
}

/** The throttle of logins: the eleventh failure for one name. */
function lockedOut(): ListedRequest[] {
  const { request } = group('login throttle');
  return [
    ...Array.from({ length: 12 }, (_, index) =>
      request('POST', '/api/auth/login/', {
        label: `failure ${index + 1}`,
        body: { username: 'locked', password: 'not the right one at all' },
      }),
    ),
    request('POST', '/api/auth/login/', { label: 'another name', body: ADMIN }),
  ];
}
