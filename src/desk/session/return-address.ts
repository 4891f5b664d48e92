import type { Request } from 'express';
import { addressOf } from '../../web/address.js';
import { basePathOf, withoutBasePath } from '../../platform/http/client.js';
import { infoOf } from '../../platform/http/request.js';
import { isOwnOrigin } from './own-origin.js';

export const HOME = '/desk/';
export const LOGIN = '/desk/login';
/** The parameter of the login after a password was set at the address of an invitation. */
export const PASSWORD_SET = 'password_set';
/** Where a sign-in by the identity provider begins, and where the provider sends people back. */
export const SIGN_IN = '/desk/sign-in';
export const CALLBACK = '/desk/callback';
/** The folder of the addresses of invitations. */
export const INVITATION = '/desk/invitation';
const BASE = 'http://desk.invalid';

/**
 * The page to return to after a login: a path of the desk, and nothing that a browser could take
 * for another site.
 * @param address as a link or a form gives it
 * @returns the home page for everything else
 */
export function returnAddress(address: string | null | undefined): string {
  if (!address || !URL.canParse(address, BASE)) return HOME;
  const { origin, pathname, search } = new URL(address, BASE);
  const isPage =
    pathname.startsWith(HOME) && !/^\/desk\/(login|logout|callback|sign-in|invitation)(\/|$)/.test(pathname);
  return origin === BASE && isPage ? pathname + search : HOME;
}

/** Where a visitor without a session goes, with the page to return to. */
export function loginAddress(request: Request): string {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const page = isRead ? returnAddress(request.originalUrl) : formPage(request);
  return addressOf(LOGIN, { next: page === HOME ? null : page });
}

/** The page that a form was sent from, to return to. */
export const formPage = (request: Request): string => returnAddress(refererPath(request));

/** Browsers name the page of a form within this site. */
function refererPath(request: Request): string | null {
  const { referer } = request.headers;
  if (referer === undefined || !URL.canParse(referer)) return null;
  const { origin, pathname, search } = new URL(referer);
  return isOwnOrigin(request, origin)
    ? withoutBasePath(pathname, basePathOf(infoOf(request).origin)) + search
    : null;
}
