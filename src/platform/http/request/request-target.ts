/** Path and query of a request's target, not decoded. */
export interface Target {
  path: string;
  /** Without the question mark. */
  query: string;
}

/**
 * Splits a target. In absolute form, which proxies use, scheme and host are ignored: `Host` has
 * them.
 */
export function splitTarget(url: string): Target {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}
