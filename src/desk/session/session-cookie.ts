import type { Request } from 'express';
import { contextOf } from '../../platform/http/request/request-context.js';

const NAME = 'desk_session';

/** A cookie of a request; null without it. Only the desk reads cookies. */
export function readCookie({ headers }: Request, name: string): string | null {
  const pair = (headers.cookie ?? '')
    .split(';')
    .map((text) => text.trim())
    .find((text) => text.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? null;
}

/** The token in the cookie of a request; null without one. */
export const readSessionToken = (request: Request): string | null => readCookie(request, NAME);

/** Lets the browser keep the token of a session until it closes; the service ends it before. */
export function setSessionCookie(request: Request, token: string): void {
  contextOf(request).response.cookie(NAME, token, cookieOptions(request));
}

export function clearSessionCookie(request: Request): void {
  contextOf(request).response.clearCookie(NAME, cookieOptions(request));
}

/** Sent to the desk alone, from the desk alone, and never over plain HTTP once there is TLS. */
const cookieOptions = (request: Request) => ({
  path: '/desk/',
  httpOnly: true,
  sameSite: 'strict' as const,
  secure: contextOf(request).origin.startsWith('https:'),
});
