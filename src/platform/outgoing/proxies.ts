import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The proxies of requests, by the scheme of their addresses. */
export interface Proxies {
  readonly http: string | null;
  readonly https: string | null;
  /** Hosts, domains, addresses and CIDR blocks that are reached without them; `*` for all. */
  readonly except: readonly string[];
}

/** The proxy by which an address is reached; null for none. */
export function proxyOf(url: URL, { http, https, except }: Proxies): URL | null {
  const proxy = url.protocol === 'https:' ? https : http;
  return proxy === null || except.some((item) => names(item, url)) ? null : new URL(proxy);
}

/** Whether an item of `NO_PROXY` names the host of an address. */
function names(item: string, url: URL): boolean {
  if (item === '*') return true;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(host) !== 0) {
    const address = ipaddr.process(host);
    if (ipaddr.isValid(item)) return ipaddr.process(item).toString() === address.toString();
    if (!ipaddr.isValidCIDR(item)) return false;
    const [network, bits] = ipaddr.parseCIDR(item);
    return network.kind() === address.kind() && address.match(network, bits);
  }
  const [, name, port] = /^(?:\*?\.)?([^:]+)(?::(\d+))?$/.exec(item.toLowerCase()) ?? [];
  if (name === undefined) return false;
  const ownPort = url.port || (url.protocol === 'https:' ? '443' : '80');
  return (port === undefined || port === ownPort) && (host === name || host.endsWith(`.${name}`));
}
