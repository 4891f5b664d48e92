import { bearer, group, captureJson, type ListedRequest } from './request.js';
import { API, SERIES, TABLES } from './seeds.js';
import { ADMIN } from '../service/service.js';

const { request } = group('preparations');

/** A login whose tokens are captured under these names. */
export const login = (
  label: string,
  account: { username: string; password: string },
  names: Record<string, string>,
) => request('POST', '/api/auth/login/', { label, body: account, capture: captureJson(names) });

/** Captures what the other requests need: tokens, and ids that depend on the engine. */
export function preparations(): ListedRequest[] {
  return [
    login('login of the administrator', ADMIN, { access: 'access', refresh: 'refresh' }),
    request('GET', '/api/auth/me/', { headers: bearer('access') }),
    ...TABLES.map(({ name }) =>
      request('GET', `${API}/${name}/?page_size=1`, {
        capture: captureJson({ [`first ${name}`]: 'results.0.id' }),
      }),
    ),
    request('GET', `${API}/PriceSeriePrice/${SERIES.daily}/?periodicity=daily&latest=1`, {
      capture: captureJson({ point: 'datapoints.0.id' }),
    }),
  ];
}
