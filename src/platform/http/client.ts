import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { isIPv4, type Socket } from 'node:net';
import proxyAddr from 'proxy-addr';

type Trust = (address: string, hop: number) => boolean;

/** A name, whose labels are not empty, or an address. */
const HOST = /^(?!.*\.\.)(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9a-fA-F:.]{2,45}\])(?::[0-9]{1,5})?$/;

/** The host that was found to be one most recently: most requests name the same. */
let knownHost: string | null = null;

/**
 * Whether a `Host` names a host, so that links may be built of it. URLs reject what only looks like
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

/*
 * A service behind a path of another site, such as https://example.org/data. Inside, all paths
 * are as at the root of a host: the path is removed from requests, where the proxy has left it, and
 * added to what replies print.
 */

/** The path of an address, without a slash at its end: '' at the root of a host. */
export const basePathOf = (address: string | null): string =>
  address === null ? '' : new URL(address).pathname.replace(/\/$/, '');

/** The target of a request without the base path, if it has it. */
export function withoutBasePath(target: string, basePath: string): string {
  if (basePath === '' || !target.startsWith(basePath)) return target;
  const rest = target.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : target;
}

/** Attributes with an address of this service, as `html` and `chart` write them. */
const ADDRESSES = /(?:\s(?:href|src|action|formaction)="|\scontent="0; url=)(?=\/(?!\/))/g;

/**
 * A document whose addresses on this host begin with the base path; those that do already stay as
 * they are. Text has no bare quotes.
 */
export const underBasePath = (document: string, basePath: string): string =>
  basePath === ''
    ? document
    : document.replace(ADDRESSES, (attribute: string, offset: number) =>
        document.startsWith(`${basePath}/`, offset + attribute.length) ? attribute : attribute + basePath,
      );
