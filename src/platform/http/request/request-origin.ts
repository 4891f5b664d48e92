import type { Request } from 'express';
import type { Socket } from 'node:net';
import proxyAddr from 'proxy-addr';
import { clientNetwork, loggedNetwork, parseAddress } from './client-network.js';

type Trust = (address: string, hop: number) => boolean;

const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9a-fA-F:.]{2,45}\])(?::[0-9]{1,5})?$/;

/** The host that was found to be one most recently: most requests name the same. */
let knownHost: string | null = null;

/**
 * Whether a `Host` names a host, so that links may be built of it. URLs refuse what only looks like
 * one, such as `1.1.1.999` and `a:99999`.
 */
export function isHost(host: string): boolean {
  if (host === knownHost) return true;
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return false;
  knownHost = host;
  return true;
}

const LOCALHOST = 'localhost';
let lastHost = '';
let lastOrigin = 'http://';

/**
 * Scheme and host of links to this service, by Express's `trust proxy`.
 * @param publicUrl wins over what the request says
 */
export function originOf(request: Request, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl;
  const { host: named = LOCALHOST } = request.headers;
  // The error that says that it is no host has links, too.
  const host = isHost(named) ? named : LOCALHOST;
  if (!isProxied(request)) return plainOrigin(host);
  const scheme = forwarded(request, 'x-forwarded-proto').toLowerCase() === 'https' ? 'https' : 'http';
  const forwardedHost = forwarded(request, 'x-forwarded-host');
  return `${scheme}://${isHost(forwardedHost) ? forwardedHost : host}`;
}

/**
 * What a trusted proxy says of the request that it received. Of several values the last, which the
 * nearest proxy has added: a client can send the others, and Express takes the first.
 */
function forwarded(request: Request, header: 'x-forwarded-host' | 'x-forwarded-proto'): string {
  if (!trustOf(request)(remoteOf(request.socket).address, 0)) return '';
  return String(request.headers[header] ?? '')
    .split(',')
    .at(-1)!
    .trim();
}

const trustOf = (request: Request) => request.app.get('trust proxy fn') as Trust;

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

/** The other end of a connection, or the client behind it. */
export interface Client {
  address: string;
  /** The network that its requests are counted by. */
  network: string;
  /** What the log may keep of the address. */
  loggedNetwork: string;
}

const clientAt = (address: string): Client => ({
  address,
  network: clientNetwork(address),
  loggedNetwork: loggedNetwork(address),
});

const REMOTE = Symbol('remote');

/** The other end of a connection; worked out once for each. */
export function remoteOf(socket: Socket): Client {
  const carrier = socket as Socket & { [REMOTE]?: Client };
  return (carrier[REMOTE] ??= clientAt(parseAddress(socket.remoteAddress ?? '') ?? ''));
}

/** Whether an address is a trusted proxy's, and so may be that of many clients. */
export const isTrustedProxy = (request: Request, address: string): boolean => trustOf(request)(address, 0);

/** The client of a request: the nearest address that is not one of the trusted proxies'. */
export function clientOf(request: Request): Client {
  const remote = remoteOf(request.socket);
  if (request.headers['x-forwarded-for'] === undefined) return remote;
  const trust = trustOf(request);
  // From the socket outwards to the first that is not trusted, which may be anything.
  const address = proxyAddr
    .all(request, (found, hop) => trust(parseAddress(found) ?? found, hop))
    .map(parseAddress)
    .findLast((found) => found !== null);
  return address === undefined ? remote : clientAt(address);
}
