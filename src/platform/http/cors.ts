import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/internal';
import type { Request } from 'express';
import type { RouteTable } from './routes/route-table.js';

/** Those that change a read, and those that libraries of scripts send with every request. */
const READ_HEADERS = [
  'Accept',
  'Accept-Language',
  'Cache-Control',
  'Content-Type',
  'If-None-Match',
  'If-Range',
  'Pragma',
  'Range',
  'X-Request-Id',
  'X-Requested-With',
];
const WRITE_HEADERS = [...READ_HEADERS, 'Authorization', 'If-Match', 'Idempotency-Key'];
/** Readable by scripts of other origins, besides the few that always are. */
export const EXPOSED_HEADERS = [
  'ETag',
  'Location',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'X-Ignored-Parameters',
  'Data-Revision',
  'Content-Disposition',
  'Accept-Ranges',
  'Content-Range',
];
/** Seconds for which a browser may remember a preflight. */
const MAX_AGE = 600;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

const join = (names: readonly string[]) => names.join(', ');

/**
 * Options of Nest's `enableCors`: scripts of any origin may read; those of the listed origins may
 * do all that an address offers. No credentials: tokens travel in a header that scripts set
 * themselves.
 */
export function corsOptions(origins: readonly string[], routes: RouteTable): CorsOptionsDelegate<Request> {
  return (request, callback) => callback(null, optionsFor(request, origins, routes));
}

function optionsFor(request: Request, origins: readonly string[], routes: RouteTable): CorsOptions {
  const listed = origins.includes(request.headers.origin ?? '');
  if (request.method === 'OPTIONS') return preflight(request, listed, routes);
  if (READS.has(request.method)) return { origin: '*', exposedHeaders: join(EXPOSED_HEADERS) };
  return { origin: [...origins], ...(listed ? { exposedHeaders: join(EXPOSED_HEADERS) } : {}) };
}

function preflight(request: Request, listed: boolean, routes: RouteTable): CorsOptions {
  const exposedHeaders = join(EXPOSED_HEADERS);
  const method = request.headers['access-control-request-method'];
  const allowed = routes.methodsAt(request.path);
  const isRead = method === 'GET' || method === 'HEAD';
  if (method === undefined || !allowed.includes(method) || (!listed && !isRead))
    return { origin: '*', methods: '', allowedHeaders: [], exposedHeaders, preflightContinue: true };
  return {
    origin: listed ? request.headers.origin! : '*',
    methods: join(listed ? allowed : allowed.filter((name) => READS.has(name))),
    allowedHeaders: join(listed ? WRITE_HEADERS : READ_HEADERS),
    exposedHeaders,
    maxAge: MAX_AGE,
    preflightContinue: true,
  };
}
