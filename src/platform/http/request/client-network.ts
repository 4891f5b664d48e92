import { isIPv6 } from 'node:net';

/**
 * The network that throttles count by: an IPv4 address itself, the /64 of an IPv6 address, because
 * one client has all of it. An IPv4 address in IPv6 form (`::ffff:192.0.2.1`) is the IPv4 address.
 */
export function clientNetwork(address: string): string {
  const plain = address.replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  if (mapped) return mapped[1]!;
  return isIPv6(plain) ? `${groups(plain).slice(0, 4).join(':')}::/64` : plain;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groups(address: string): string[] {
  // The last 32 bits may be written as an IPv4 address; they are not part of the network.
  const hex = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0');
  const [head = '', tail] = hex.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...gap, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
}
