import { decodeQueryText } from '../../validation/query-pairs.js';

/**
 * Key of an address in the page cache: path and query as sent, without `_` where that can be
 * decoded.
 */
export function cacheKey(url: string): string {
  if (!url.includes('_=') && !url.endsWith('_') && !url.includes('_&')) return url;
  const start = url.indexOf('?');
  if (start < 0) return url;
  const parameters = url
    .slice(start + 1)
    .split('&')
    .filter((raw) => raw !== '_' && !(raw.startsWith('_=') && decodeQueryText(raw.slice(2)) !== null));
  return url.slice(0, start) + (parameters.length > 0 ? `?${parameters.join('&')}` : '');
}
