import {
  type ClientRequest,
  request as requestHttp,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { createGunzip } from 'node:zlib';
import { FencedOff, type OutgoingFence } from './outgoing-fence.js';
import { proxyOf, type Proxies } from './proxies.js';

/** Redirects that are followed. */
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/** What a request has not got, in a sentence that names no address. */
export class OutgoingFailure extends Error {}

/** How long a server may take. */
interface OutgoingLimits {
  /** Milliseconds until the head of its reply, and then between two parts of the body. */
  readonly stallMs: number;
  /** Bytes of a body, as they come and after decompression. */
  readonly maxBytes: number;
}

/** A GET of an address that a record names. */
interface OutgoingRequest {
  readonly url: URL;
  /** The headers for an address: others may be asked, too, after a redirect. */
  readonly headersOf: (url: URL) => Readonly<Record<string, string>>;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** A reply whose body has not been read. */
export interface OutgoingReply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Where it comes from, after redirects. */
  readonly url: URL;
  /**
   * Its body, decompressed.
   * @throws OutgoingFailure also where it is cut short, or longer than may be
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection without reading the body. */
  discard(): void;
}

/** Sends requests to addresses that records name, behind a fence. */
export class OutgoingRequests {
  constructor(
    private readonly fence: OutgoingFence,
    private readonly proxies: Proxies,
    private readonly limits: OutgoingLimits,
    private readonly userAgent: string,
  ) {}

  /**
   * Follows up to 5 redirects, each checked as the address itself; none from https to http.
   * @throws OutgoingFailure
   */
  async get({ url, headersOf, signal }: OutgoingRequest): Promise<OutgoingReply> {
    let current = url;
    for (let redirects = 0; ; redirects++) {
      const response = await this.send(current, headersOf(current), signal);
      const { statusCode, headers } = response;
      if (!REDIRECTS.has(statusCode) || headers.location === undefined)
        return {
          status: statusCode!,
          headers,
          url: current,
          body: this.bodyOf(response),
          discard: () => response.destroy(),
        };
      response.destroy();
      if (redirects === MAX_REDIRECTS) throw new OutgoingFailure('The server redirects too often.');
      current = redirectedTo(headers.location, current);
    }
  }

  private async send(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const proxy = proxyOf(url, this.proxies);
    if (!this.fence.allowsHost(url.hostname, proxy !== null)) throw failureOf(new FencedOff());
    const stalled = new AbortController();
    const timer = setTimeout(() => stalled.abort(), this.limits.stallMs);
    try {
      const options: RequestOptions = {
        method: 'GET',
        headers: { 'User-Agent': this.userAgent, 'Accept-Encoding': 'gzip', ...headers },
        signal: AbortSignal.any([signal, stalled.signal]),
        // A connection for each request: the check of one must not do for others.
        agent: false,
      };
      if (proxy === null) return await replyOf(this.direct(url, options));
      return await replyOf(
        url.protocol === 'https:' ? await tunnelled(url, proxy, options) : viaProxy(url, proxy, options),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (stalled.signal.aborted) throw new OutgoingFailure(NO_REPLY);
      throw failureOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  private direct(url: URL, options: RequestOptions): ClientRequest {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, { ...options, lookup: this.fence.lookup });
    request.once('socket', (socket: Socket) => {
      // The lookup has chosen it; numbers in the address have none.
      socket.once('connect', () => {
        if (!this.fence.allowsPeer(url.hostname, socket.remoteAddress)) request.destroy(new FencedOff());
      });
    });
    return request;
  }

  private async *bodyOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
    const { maxBytes } = this.limits;
    const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    const isPacked = encoding === 'gzip' || encoding === 'x-gzip';
    const received = this.received(response);
    let length = 0;
    try {
      if (!isPacked && encoding !== 'identity')
        throw new OutgoingFailure('The server sends a content encoding that was not asked for.');
      for await (const chunk of isPacked ? gunzipped(received) : received) {
        length += chunk.length;
        if (length > maxBytes) throw new OutgoingFailure(`The server sends more than ${maxBytes} bytes.`);
        yield chunk;
      }
    } catch (error) {
      if (error instanceof OutgoingFailure) throw error;
      const { code } = error as NodeJS.ErrnoException;
      throw new OutgoingFailure(
        code?.startsWith('Z_') ? 'The compressed reply is damaged or cut short.' : CUT_SHORT,
      );
    } finally {
      response.destroy();
    }
    if (!response.complete) throw new OutgoingFailure(CUT_SHORT);
  }

  /** The parts of a body, each within the time limit. */
  private async *received(response: IncomingMessage): AsyncGenerator<Uint8Array> {
    const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (;;) {
      let isStalled = false;
      const timer = setTimeout(() => {
        isStalled = true;
        response.destroy();
      }, this.limits.stallMs);
      try {
        const next = await chunks.next();
        if (isStalled) throw new OutgoingFailure(STALLED);
        if (next.done) return;
        yield next.value;
      } catch (error) {
        throw isStalled ? new OutgoingFailure(STALLED) : error;
      } finally {
        clearTimeout(timer);
      }
    }
  }
}

async function* gunzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(bytes, { objectMode: false });
  const unpacked = createGunzip({ chunkSize: 64 * 1024 });
  source.on('error', (error) => unpacked.destroy(error));
  try {
    yield* source.pipe(unpacked) as AsyncIterable<Buffer>;
  } finally {
    source.destroy();
  }
}

const NO_REPLY = 'The server did not reply in time.';
const STALLED = 'The server stopped sending data.';
const CUT_SHORT = 'The connection was closed before all of the file had come.';

/** @throws OutgoingFailure */
function redirectedTo(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href)) throw new OutgoingFailure('A redirect leads to no valid address.');
  const url = new URL(location, from.href);
  if (!/^https?:$/.test(url.protocol) || (from.protocol === 'https:' && url.protocol === 'http:'))
    throw new OutgoingFailure('A redirect leads to an address that is not https.');
  // A password of another server is none of ours.
  url.username = '';
  url.password = '';
  return url;
}

function replyOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    request.end();
  });
}

/** A request of a proxy for an http address. */
function viaProxy(url: URL, proxy: URL, options: RequestOptions): ClientRequest {
  const send = proxy.protocol === 'https:' ? requestHttps : requestHttp;
  return send(proxy, {
    ...options,
    path: url.href,
    headers: { ...options.headers, Host: url.host, ...authorizationOf(proxy) },
  });
}

/** A request through a tunnel that a proxy opens to an https address. */
async function tunnelled(url: URL, proxy: URL, options: RequestOptions): Promise<ClientRequest> {
  const target = `${url.hostname}:${url.port || '443'}`;
  const send = proxy.protocol === 'https:' ? requestHttps : requestHttp;
  const asking = send(proxy, {
    ...options,
    method: 'CONNECT',
    path: target,
    headers: { Host: target, ...authorizationOf(proxy) },
  });
  const socket = await new Promise<Socket>((resolve, reject) => {
    asking.once('connect', (response, connected) => {
      if (response.statusCode === 200) return resolve(connected);
      connected.destroy();
      reject(new OutgoingFailure(`The proxy returned status ${response.statusCode}.`));
    });
    asking.once('response', ({ statusCode }) =>
      reject(new OutgoingFailure(`The proxy returned status ${statusCode}.`)),
    );
    asking.once('error', reject);
    asking.end();
  });
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) === 0 ? host : '';
  return requestHttps(url, {
    ...options,
    // An agent would open a connection of its own.
    agent: undefined,
    createConnection: () => connectTls({ socket, host, servername, ALPNProtocols: ['http/1.1'] }),
  });
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** What went wrong before a reply came, by the code of the system's error. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name of the server could not be resolved.',
  EAI_AGAIN: 'The name of the server could not be resolved.',
  ECONNREFUSED: 'The server refused the connection.',
  ECONNRESET: 'The server closed the connection.',
  EPIPE: 'The server closed the connection.',
  ETIMEDOUT: NO_REPLY,
  EHOSTUNREACH: 'The server could not be reached.',
  ENETUNREACH: 'The server could not be reached.',
};

function failureOf(error: unknown): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  if (error instanceof FencedOff) return new OutgoingFailure(error.message);
  const { code = '', errors } = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] };
  const first = errors?.[0]?.code ?? code;
  if (first in REASONS) return new OutgoingFailure(REASONS[first]);
  if (first.startsWith('HPE_')) return new OutgoingFailure('The server does not reply by HTTP.');
  if (/^(?:ERR_TLS|ERR_SSL|EPROTO|CERT|DEPTH|SELF|UNABLE|HOSTNAME)/.test(first))
    return new OutgoingFailure(`The certificate or the encryption of the server is not valid (${first}).`);
  return new OutgoingFailure('The server could not be reached.');
}
