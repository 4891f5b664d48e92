import type { Request } from 'express';
import { isIP, type Socket } from 'node:net';
import proxyAddr from 'proxy-addr';
import { loggedNetwork } from './client-network.js';

type Trust = (address: string, hop: number) => boolean;

const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9a-fA-F:.]{2,45}\])(?::[0-9]{1,5})?$/;

/** Whether a `Host` names a host, so that links may be built of it. */
export function isHost(host: string): boolean {
  return HOST.test(host);
}

let lastHost = '';
let lastOrigin = 'http://';

/**
 * Scheme and host of links to this service, as Express's `trust proxy` finds them.
 * @param publicUrl wins over what the request says
 */
export function originOf(request: Request, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl;
  const { host = 'localhost' } = request.headers;
  if (!isProxied(request)) return plainOrigin(host);
  const forwarded = request.host as string | undefined;
  const scheme = request.protocol === 'https' ? 'https' : 'http';
  return `${scheme}://${forwarded !== undefined && isHost(forwarded) ? forwarded : host}`;
}

/** Most requests name the same host, and a new string would cost the page cache a new hash. */
function plainOrigin(host: string): string {
  if (host !== lastHost) {
    lastHost = host;
    lastOrigin = `http://${host}`;
  }
  return lastOrigin;
}

function isProxied({ headers }: Request): boolean {
  return headers['x-forwarded-host'] !== undefined || headers['x-forwarded-proto'] !== undefined;
}

/** The other end of a connection. */
interface Remote {
  address: string;
  /** What the log may keep of the address. */
  network: string;
}

const REMOTE = Symbol('remote');

/** The other end of a connection; worked out once for each. */
export function remoteOf(socket: Socket): Remote {
  const carrier = socket as Socket & { [REMOTE]?: Remote };
  if (carrier[REMOTE] === undefined) {
    const address = plainAddress(socket.remoteAddress ?? '');
    carrier[REMOTE] = { address, network: loggedNetwork(address) };
  }
  return carrier[REMOTE];
}

/** The nearest address that is not one of the trusted proxies'. */
export function clientAddressOf(request: Request): string {
  const own = remoteOf(request.socket).address;
  if (request.headers['x-forwarded-for'] === undefined) return own;
  const trust = request.app.get('trust proxy fn') as Trust;
  // From the socket outwards to the first that is not trusted, which may be anything.
  return (
    proxyAddr
      .all(request, trust)
      .map(plainAddress)
      .findLast((address) => isIP(address) !== 0) ?? own
  );
}

/** An IPv4 address in IPv6 form is the IPv4 address. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
