import type { IncomingMessage } from 'node:http';
import { MAX_TOKEN_LENGTH } from './token-claims.js';

const TOKEN = '[A-Za-z0-9._~+/-]+=*';
const BEARER = new RegExp(`^bearer +(${TOKEN}) *$`, 'i');
const CREDENTIALS = new RegExp(`^${TOKEN} *$`);

/** Whether what follows `Bearer` is one token, valid or not. */
export const isToken = (credentials: string): boolean => CREDENTIALS.test(credentials);

/**
 * The token of a request's `Authorization: Bearer` header, whose scheme ignores case; null for any
 * other value, and for repeated headers: proxies differ in which of them they read.
 */
export function extractBearerToken(request: IncomingMessage): string | null {
  const [authorization = '', ...more] = request.headersDistinct.authorization ?? [];
  const token = BEARER.exec(authorization)?.[1];
  return token !== undefined && token.length <= MAX_TOKEN_LENGTH && more.length === 0 ? token : null;
}
