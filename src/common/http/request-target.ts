/** A request's target taken apart, neither half decoded. */
export interface Target {
  path: string;
  /** Without the question mark. */
  query: string;
}

/** Takes a target apart. Proxies may send it with scheme and host in front, which say nothing that `Host` does not. */
export function splitTarget(url: string): Target {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}
