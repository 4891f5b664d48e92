import type { Request } from 'express';
import { basePathOf } from '../../platform/http/client.js';
import { infoOf } from '../../platform/http/request.js';

const NAME = 'desk_session';

/** By TLS a prefix, with which browsers take the cookie from nobody but this site (RFC 6265bis). */
function nameOf(request: Request): string {
  if (!isSecure(request)) return NAME;
  return `${basePathOf(infoOf(request).origin) === '' ? '__Host-' : '__Secure-'}${NAME}`;
}

const isSecure = (request: Request) => infoOf(request).origin.startsWith('https:');

/** A cookie of a request; null without it. Only the desk reads cookies. */
export function readCookie({ headers }: Request, name: string): string | null {
  const pair = (headers.cookie ?? '')
    .split(';')
    .map((text) => text.trim())
    .find((text) => text.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? null;
}

/** The token in the cookie of a request; null without one. */
export const readSessionToken = (request: Request): string | null => readCookie(request, nameOf(request));

/** Lets the browser keep the token of a session until it closes; the service ends it before. */
export function setSessionCookie(request: Request, token: string): void {
  infoOf(request).response.cookie(nameOf(request), token, cookieOptions(request));
}

export function clearSessionCookie(request: Request): void {
  infoOf(request).response.clearCookie(nameOf(request), cookieOptions(request));
}

/**
 * Sent from this site alone, and never over plain HTTP once there is TLS; to the desk alone, but
 * where the prefix `__Host-` asks for all paths.
 */
function cookieOptions(request: Request) {
  const basePath = basePathOf(infoOf(request).origin);
  const secure = isSecure(request);
  return {
    path: secure && basePath === '' ? '/' : `${basePath}/desk/`,
    httpOnly: true,
    sameSite: 'strict' as const,
    secure,
  };
}
