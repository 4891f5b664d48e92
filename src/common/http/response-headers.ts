import type { ReplyHeaders } from './reply.js';

/** Readable by scripts of other origins, besides the few that always are. */
const EXPOSED =
  'ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, X-Ignored-Parameters';

/** What decides the headers of an answer, apart from its body. */
export interface HeaderFacts {
  /** Null for an answer without a body. */
  type: string | null;
  cacheControl: string;
  /** The client came over TLS. */
  secure: boolean;
  /** Reads are open to every origin. */
  read: boolean;
  /** The caller's origin, where it is one that may write. */
  allowedOrigin: string | null;
  /** The handler's own; they replace ours of the same name. */
  extra: ReplyHeaders;
}

/** A flat list of names and values, as `writeHead` takes it. */
export type HeaderList = string[];

/**
 * The headers of every answer, whoever writes it: from a handler, from the page cache, or a refusal. Those that depend on
 * the form of the body (length, encoding, tag) and on the single request are added by the caller.
 */
export function responseHeaders(facts: HeaderFacts): HeaderList {
  const headers: HeaderList = [];
  if (facts.type !== null) headers.push('Content-Type', facts.type);
  headers.push(
    'Cache-Control',
    facts.cacheControl,
    'Vary',
    facts.read ? 'Accept, Accept-Encoding' : 'Accept, Accept-Encoding, Origin',
    'X-Content-Type-Options',
    'nosniff',
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy',
    'no-referrer',
  );
  if (facts.secure) headers.push('Strict-Transport-Security', 'max-age=31536000');
  const origin = facts.read ? '*' : facts.allowedOrigin;
  if (origin !== null)
    headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED);
  for (const [name, value] of Object.entries(facts.extra)) replace(headers, name, value);
  return headers;
}

function replace(headers: HeaderList, name: string, value: string): void {
  const wanted = name.toLowerCase();
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at]?.toLowerCase() === wanted) {
      headers[at + 1] = value;
      return;
    }
  }
  headers.push(name, value);
}
