import type { RequestContext } from '../http/request-context.js';

/** Scheme, host, path and parameters of a request: what links to its other pages are made of. */
export type LinkSource = Pick<RequestContext, 'origin' | 'path' | 'query'>;

/**
 * The absolute address of another page of the same list: the caller's path and parameters, in their order, with `page`
 * changed. The first page has no `page`. `_` is left out, because it is not part of the address.
 */
export function pageLink(source: LinkSource, page: number): string {
  const pieces: string[] = [];
  let placed = page === 1;
  for (const { name, raw } of source.query) {
    if (name === '_') continue;
    if (name !== 'page') pieces.push(encoded(raw));
    else if (!placed) {
      pieces.push(`page=${page}`);
      placed = true;
    }
  }
  if (!placed) pieces.push(`page=${page}`);
  const query = pieces.length > 0 ? `?${pieces.join('&')}` : '';
  return `${source.origin}${encoded(source.path)}${query}`;
}

/** The absolute address of something beside the request's path: `absolute(context, '/api/v1/Commodity/5/')`. */
export function absolute(source: Pick<RequestContext, 'origin'>, path: string): string {
  return source.origin + path;
}

/** Escapes what may not stand in an address as it is; what is escaped already stays as it was sent. */
function encoded(raw: string): string {
  return raw.replace(/["<>\\^`{|}]/g, encodeURIComponent);
}
