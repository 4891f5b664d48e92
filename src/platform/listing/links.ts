import type { RequestInfo } from '../http/request.js';

/** Scheme, host, path and parameters of a request, which its page links are built from. */
type LinkSource = Pick<RequestInfo, 'origin' | 'path' | 'query'>;

/**
 * The absolute URL of another page of the same list: the caller's path and parameters, in their
 * order, with another `page`. The first page has no `page`. `_`, the cache buster, is left out.
 */
export function pageLink(source: LinkSource, page: number): string {
  const parameters: string[] = [];
  let needsPage = page !== 1;
  for (const { name, raw } of source.query) {
    if (name === '_') continue;
    if (name !== 'page') parameters.push(escapeUrl(raw));
    else if (needsPage) {
      parameters.push(`page=${page}`);
      needsPage = false;
    }
  }
  if (needsPage) parameters.push(`page=${page}`);
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return `${source.origin}${escapeUrl(source.path)}${query}`;
}

/** The absolute URL of another path: `absoluteUrl(info, '/api/v1/Book/5/')`. */
export function absoluteUrl(source: Pick<RequestInfo, 'origin'>, path: string): string {
  return source.origin + path;
}

/**
 * Percent-encodes characters that a URL must not contain; escapes that were sent stay unchanged.
 */
function escapeUrl(raw: string): string {
  return raw.replace(/["<>\\^`{|}]/g, encodeURIComponent);
}
