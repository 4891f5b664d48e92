import type { IncomingHttpHeaders } from 'node:http';
import type { Address } from './route-table.js';

const READ_HEADERS = 'Accept, Accept-Language, If-None-Match, X-Request-Id';
const WRITE_HEADERS = `${READ_HEADERS}, Authorization, Content-Type, If-Match, Idempotency-Key`;
/** Seconds a browser may remember the answer. */
const MAX_AGE = '600';

/**
 * Headers of the answer to OPTIONS. Scripts of any origin may read; those of the listed origins may do all that the address
 * offers.
 */
export function optionsHeaders(
  address: Address,
  headers: IncomingHttpHeaders,
  corsOrigins: readonly string[],
): Record<string, string> {
  const allow = { Allow: address.allow.join(', ') };
  const { origin, 'access-control-request-method': method } = headers;
  if (origin === undefined || method === undefined || !address.allow.includes(method)) return allow;
  const listed = corsOrigins.includes(origin);
  const read = method === 'GET' || method === 'HEAD';
  if (!listed && !read) return { ...allow, Vary: VARY };
  const methods = listed ? address.allow : address.allow.filter((one) => READS.has(one));
  return {
    ...allow,
    Vary: VARY,
    'Access-Control-Allow-Origin': listed ? origin : '*',
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': listed ? WRITE_HEADERS : READ_HEADERS,
    'Access-Control-Max-Age': MAX_AGE,
  };
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const VARY = 'Accept, Accept-Encoding, Origin';
