import type { Request } from 'express';
import type { PendingSignIn } from '../../auth/identity-provider/provider-sign-in.js';
import { basePathOf } from '../../platform/http/client.js';
import { infoOf } from '../../platform/http/request.js';
import { readCookie } from './session-cookie.js';
import { CALLBACK } from './return-address.js';

const NAME = 'desk_sign_in';
const TEN_MINUTES = 10 * 60_000;

/** A sign-in that was begun, and the page to return to. */
type DeskSignIn = PendingSignIn & { next: string };

/** Lets the browser keep what a sign-in must come back with; `Lax`, as another site does that. */
export function setPendingSignIn(request: Request, pending: DeskSignIn): void {
  const value = Buffer.from(JSON.stringify(pending)).toString('base64url');
  infoOf(request).response.cookie(NAME, value, { ...optionsOf(request), maxAge: TEN_MINUTES });
}

export function clearPendingSignIn(request: Request): void {
  infoOf(request).response.clearCookie(NAME, optionsOf(request));
}

/** What the browser has kept; null for anything else. */
export function readPendingSignIn(request: Request): DeskSignIn | null {
  try {
    const text = Buffer.from(readCookie(request, NAME) ?? '', 'base64url').toString();
    const value = JSON.parse(text) as Partial<Record<keyof DeskSignIn, unknown>> | null;
    const names = ['state', 'nonce', 'verifier', 'next'] as const;
    return names.every((name) => typeof value?.[name] === 'string') ? (value as DeskSignIn) : null;
  } catch {
    return null;
  }
}

const optionsOf = (request: Request) => ({
  path: basePathOf(infoOf(request).origin) + CALLBACK,
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: infoOf(request).origin.startsWith('https:'),
});
