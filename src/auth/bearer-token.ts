import type { IncomingMessage } from 'node:http';
import { LONGEST_TOKEN } from './token-claims.js';

/** The token of an `Authorization` header, whose scheme may be written in any case; null for anything but one bearer token. */
export function bearerToken(authorization: string): string | null {
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization)?.[1];
  return token !== undefined && token.length <= LONGEST_TOKEN ? token : null;
}

/** The token of a request. Two headers are none: which of them counts would depend on who reads them. */
export function tokenOf(request: IncomingMessage): string | null {
  const [authorization, ...more] = request.headersDistinct.authorization ?? [];
  return authorization === undefined || more.length > 0 ? null : bearerToken(authorization);
}
