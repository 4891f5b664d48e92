import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';

/** The other end of a connection; worked out once for each. */
export interface Peer {
  address: string;
  /** It is a proxy whose forwarding headers count. */
  trusted: boolean;
  network: string;
}

const PEER = Symbol('peer');

/** Knows the proxies in front of the service, and by them the true address, scheme and host of a request. */
export class ProxyTrust {
  private readonly list = new BlockList();
  private readonly any: boolean;

  /** @param entries addresses, CIDR blocks or `loopback` */
  constructor(entries: readonly string[]) {
    this.any = entries.length > 0;
    for (const entry of entries.flatMap((one) => (one === 'loopback' ? ['127.0.0.0/8', '::1'] : [one]))) {
      const [address = '', prefix] = entry.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.list.addAddress(address, family);
      else this.list.addSubnet(address, Number(prefix), family);
    }
  }

  peer(socket: Socket): Peer {
    const carrier = socket as Socket & { [PEER]?: Peer };
    if (carrier[PEER] === undefined) {
      const address = plain(socket.remoteAddress ?? '');
      carrier[PEER] = { address, trusted: this.covers(address), network: network(address) };
    }
    return carrier[PEER];
  }

  /** The nearest address that is not one of our proxies. @param forwardedFor `X-Forwarded-For` */
  clientAddress(peer: Peer, forwardedFor: string | string[] | undefined): string {
    if (!peer.trusted || forwardedFor === undefined) return peer.address;
    let nearest = peer.address;
    for (const hop of String(forwardedFor).split(',').reverse()) {
      const address = plain(hop.trim());
      if (isIP(address) === 0) break;
      nearest = address;
      if (!this.covers(address)) break;
    }
    return nearest;
  }

  private covers(address: string): boolean {
    const version = this.any ? isIP(address) : 0;
    return version !== 0 && this.list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  }
}

/** An IPv4 address inside an IPv6 one is the IPv4 address. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** The /24 or /48 an address lies in: what the log may keep. */
export function network(address: string): string {
  if (isIP(address) === 4) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  if (isIP(address) !== 6) return '';
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    while (groups.length + after.length < 8) groups.push('0');
  }
  while (groups.length < 3) groups.push('0');
  return `${groups.slice(0, 3).join(':')}::/48`;
}

const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9a-fA-F:.]{2,45}\])(?::[0-9]{1,5})?$/;

/** Whether a `Host` names a host, so that links may be built of it. */
export function isHost(host: string): boolean {
  return HOST.test(host);
}
