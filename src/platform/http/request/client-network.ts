import ipaddr from 'ipaddr.js';
import { isIP, isIPv4 } from 'node:net';

/**
 * The network that throttles count by: an IPv4 address itself, the /64 of an IPv6 address, because
 * one client has all of it. An IPv4 address in IPv6 form (`::ffff:192.0.2.1`) is the IPv4 address.
 */
export function clientNetwork(address: string): string {
  return networkOf(address, (ipv4) => ipv4, 4);
}

/** The /24 or /48 an address lies in: what the log may keep. Empty where there is no address. */
export function loggedNetwork(address: string): string {
  if (isIP(address) === 0) return '';
  return networkOf(address, (ipv4) => `${ipv4.slice(0, ipv4.lastIndexOf('.'))}.0/24`, 3);
}

function networkOf(address: string, ofIpv4: (ipv4: string) => string, groups: number): string {
  if (isIPv4(address)) return ofIpv4(address);
  if (!ipaddr.IPv6.isValid(address)) return address;
  const ipv6 = ipaddr.IPv6.parse(address);
  if (ipv6.isIPv4MappedAddress()) return ofIpv4(ipv6.toIPv4Address().toString());
  const prefix = ipv6.parts.slice(0, groups).map((part) => part.toString(16));
  return `${prefix.join(':')}::/${groups * 16}`;
}
