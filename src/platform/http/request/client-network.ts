import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';

/**
 * An address as it is compared, counted and logged: without the port that some proxies append
 * (`192.0.2.1:4711`, `[2001:db8::1]:4711`), and an IPv4 address in IPv6 form, however it is
 * written, as the IPv4 address. Null for what is no address.
 */
export function parseAddress(text: string): string | null {
  const address = text.replace(/^([\d.]+):\d+$/, '$1').replace(/^\[([^\]]*)\](?::\d+)?$/, '$1');
  // ipaddr.js also reads the short, octal and hexadecimal forms of inet_aton().
  if (!ipaddr.IPv6.isValid(address) && !ipaddr.IPv4.isValidFourPartDecimal(address)) return null;
  return ipaddr.process(address).toString();
}

/**
 * The network that throttles count by: an IPv4 address itself, the /64 of an IPv6 address, because
 * one client has all of it.
 */
export function clientNetwork(address: string): string {
  return networkOf(address, (ipv4) => ipv4, 4) ?? address;
}

/** The /24 or /48 an address lies in: what the log may keep. Empty where there is no address. */
export function loggedNetwork(address: string): string {
  return networkOf(address, (ipv4) => `${ipv4.slice(0, ipv4.lastIndexOf('.'))}.0/24`, 3) ?? '';
}

function networkOf(address: string, ofIpv4: (ipv4: string) => string, groups: number): string | null {
  if (isIPv4(address)) return ofIpv4(address);
  const parsed = parseAddress(address);
  if (parsed === null || !parsed.includes(':')) return parsed && ofIpv4(parsed);
  const prefix = ipaddr.IPv6.parse(parsed)
    .parts.slice(0, groups)
    .map((part) => part.toString(16));
  return `${prefix.join(':')}::/${groups * 16}`;
}
