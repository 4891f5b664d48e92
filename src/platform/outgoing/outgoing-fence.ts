import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Resolves a name to all its addresses, as the system does. */
export type Resolver = (
  name: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The answer of a name server, or an address that was written out, is not public. */
export class FencedOff extends Error {
  constructor() {
    super('The address is one of this machine or of an inner network, which OUTGOING_ALLOW does not name.');
    this.name = 'FencedOff';
  }
}

/** Names of the machine itself and of inner networks, which a proxy would resolve. */
const INNER_NAMES = /^(?:.*\.)?(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;
/** Of Azure's virtual machines: it serves them their keys, from a public address. */
const WIRE_SERVER = '168.63.129.16';
/** Addresses of IPv6 that have been given to networks of the internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** What translates to addresses of IPv4, which are its last 32 bits. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Keeps requests to addresses that records name from this machine and from inner networks:
 * loopback, link-local, private, shared and reserved addresses, those of metadata services, and
 * these within addresses of IPv6. What a name resolves to is checked as it is connected to, so that
 * a name server cannot give another answer in between.
 */
export class OutgoingFence {
  private readonly networks: (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[] = [];
  private readonly names = new Set<string>();

  /** @param allowed addresses, CIDR blocks, names of hosts, or `loopback` */
  constructor(
    allowed: readonly string[],
    private readonly resolve: Resolver = (name, callback) => systemLookup(name, { all: true }, callback),
  ) {
    for (const item of allowed.flatMap((each) => (each === 'loopback' ? LOOPBACK : each))) {
      if (item.includes('/')) this.networks.push(ipaddr.parseCIDR(item));
      else if (ipaddr.isValid(item)) {
        const address = ipaddr.process(item);
        this.networks.push([address, address.kind() === 'ipv4' ? 32 : 128]);
      } else this.names.add(plainName(item));
    }
  }

  /**
   * Whether a host may be asked for, as an address has it: numbers, or a name. What names resolve
   * to is checked by `lookup`.
   * @param byProxy the name is resolved by a proxy: then those of inner networks are rejected
   */
  allowsHost(hostname: string, byProxy: boolean): boolean {
    const host = plainName(hostname);
    if (this.names.has(host)) return true;
    return isIP(host) === 0 ? !byProxy || !INNER_NAMES.test(host) : this.allows(host);
  }

  /**
   * Whether a connection of a host may have reached an address.
   * @param address of the other end
   */
  allowsPeer(hostname: string, address: string | undefined): boolean {
    return this.names.has(plainName(hostname)) || (address !== undefined && this.allows(address));
  }

  /** Resolves names for connections, to addresses that may be connected to. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolve(hostname, (error, found) => {
      if (error !== null) return callback(error, []);
      const isNamed = this.names.has(plainName(hostname));
      const family = Number(options.family ?? 0);
      const some = found.filter((each) => family === 0 || each.family === family);
      const allowed = some.filter(({ address }) => isNamed || this.allows(address));
      const [first] = allowed;
      if (first === undefined) return callback(new FencedOff(), []);
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

  private allows(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    const isListed = this.networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
    return isListed || isPublic(address);
  }
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** A name without the dot that may end it, or an address without brackets. */
const plainName = (hostname: string) =>
  hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '');

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv4)
    return address.range() === 'unicast' && address.toString() !== WIRE_SERVER;
  if (address.match(NAT64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}
