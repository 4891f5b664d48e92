import type { IncomingMessage } from 'node:http';
import { MAX_TOKEN_LENGTH } from './token-claims.js';

/**
 * The token of an `Authorization: Bearer` header; null for any other value. The scheme ignores
 * case.
 */
export function parseBearerToken(authorization: string): string | null {
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization)?.[1];
  return token !== undefined && token.length <= MAX_TOKEN_LENGTH ? token : null;
}

/** The token of a request. Null for repeated headers: proxies differ in which of them they read. */
export function extractBearerToken(request: IncomingMessage): string | null {
  const [authorization, ...more] = request.headersDistinct.authorization ?? [];
  return authorization === undefined || more.length > 0 ? null : parseBearerToken(authorization);
}
