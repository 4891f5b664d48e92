import { Inject, Injectable } from '@nestjs/common';
import type { Application } from 'express';
import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { connectionBurst } from '../../lib/scheduling/connection-burst.js';
import {
  type ApiError,
  BadRequest,
  HeadersTooLarge,
  MethodNotAllowed,
  RequestTimeout,
  TooLarge,
  UriTooLong,
} from '../errors/api-error.js';
import { PROBLEM_MEDIA_TYPE, problemDetails } from '../errors/problem.js';
import { RequestObservers } from '../logging/request-observer.js';
import { remoteOf } from './client.js';
import { EXPOSED_HEADERS, securityHeaders } from './middleware.js';
import { HTTP_LIMITS, HTTP_OPTIONS, type HttpLimits, type HttpOptions } from './options.js';
import { currentResponse } from './overload/limits.js';
import { cacheControl } from './routes.js';

/** Milliseconds between two checks for requests whose headers are late. */
const HEADERS_CHECK_INTERVAL = 1000;

/** What the server hands its events to. */
interface ServerListeners {
  connection(socket: Socket): void;
  request(request: IncomingMessage, response: ServerResponse): void;
  /** Node could not parse what a client sent. */
  clientError(error: Error, socket: Socket): void;
  /** A CONNECT request. */
  connect(socket: Socket): void;
}

/**
 * An HTTP server within the limits, whose requests and responses are Express's from the start.
 *
 * Express gives every request and response its prototypes (`app.request`, `app.response`) by
 * `Object.setPrototypeOf`, after which V8 no longer optimises the objects: two thirds of what
 * Express costs. Here the classes that Node instantiates inherit from Express's prototypes and take
 * their place in the application, so that setting them changes nothing.
 */
export function createExpressServer(
  app: Application,
  limits: HttpLimits,
  listeners: ServerListeners,
): Server {
  const server = createServer({
    ...messageClasses(app as unknown as ExpressPrototypes),
    maxHeaderSize: limits.headBytes,
    headersTimeout: limits.headersMs,
    // Bodies have timers of their own, because an upload may take longer than other requests.
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(HEADERS_CHECK_INTERVAL, limits.headersMs),
    // Node would answer a missing Host by itself, without problem details.
    requireHostHeader: false,
  });
  server.maxHeadersCount = 0;
  const pipelined = new PipelinedResponses();
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    pipelined.watch(request, response);
    listeners.request(request, response);
  };
  server.on('connection', () => connectionBurst.onConnection());
  server.on('connection', (socket) => listeners.connection(socket));
  server.on('request', onRequest);
  // `Expect: 100-continue` and other expectations: decided in the request pipeline, too.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error, socket) => listeners.clientError(error, socket as Socket));
  server.on('connect', (_, socket) => listeners.connect(socket as Socket));
  return server;
}

/** The prototypes that Express gives to messages; its type declarations leave them out. */
interface ExpressPrototypes {
  request: object;
  response: object;
}

/** The classes of a server's messages, with Express's prototypes. */
function messageClasses(app: ExpressPrototypes) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as object;
  app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as object;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/**
 * Emits `close` on pipelined responses when their connection closes. Node does so for the one
 * response that has the connection; those queued behind it would never end, and their work would go
 * on waiting.
 */
class PipelinedResponses {
  private readonly queued = new WeakMap<Socket, Set<ServerResponse>>();

  /** Registers a response if it is queued behind others. */
  readonly watch = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    if (response.socket !== null) return;
    let responses = this.queued.get(socket);
    if (responses === undefined) {
      const created = new Set<ServerResponse>();
      this.queued.set(socket, (responses = created));
      socket.once('close', () => closeAll(created));
    }
    const registered = responses;
    registered.add(response);
    response.once('close', () => registered.delete(response));
  };
}

function closeAll(responses: Set<ServerResponse>): void {
  for (const response of [...responses]) {
    // Node itself closes the one that has the connection by now.
    if (response.socket !== null) continue;
    response.destroy();
    response.emit('close');
  }
}

/** What Node reports of a request that it cannot parse. */
interface ParserError extends Error {
  code?: string;
  bytesParsed?: number;
  rawPacket?: Buffer;
}

/** A CONNECT is meant for a proxy, which this is not. */
const CONNECT_NOT_ALLOWED = new MethodNotAllowed([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
]);

/** Answers what Node could not parse as a request, with problem details like any other error. */
@Injectable()
export class RequestErrors {
  constructor(
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    private readonly observers: RequestObservers,
  ) {}

  /** A request that cannot be parsed, or whose headers are late. */
  onClientError(error: ParserError, socket: Socket): void {
    // The response to an earlier request may be on its way; another one within it would be taken
    // for a part of it.
    const responding = currentResponse(socket)?.headersSent ?? false;
    if (error.code === 'ECONNRESET' || responding || !socket.writable) socket.destroy();
    else this.end(socket, this.toApiError(error));
  }

  onConnect(socket: Socket): void {
    this.end(socket, CONNECT_NOT_ALLOWED);
  }

  private toApiError(error: ParserError): ApiError {
    const { targetBytes, headerBytes, bodyBytes } = this.limits;
    switch (error.code) {
      case 'HPE_HEADER_OVERFLOW':
        return isTargetTooLong(error) ? new UriTooLong(targetBytes) : new HeadersTooLarge(headerBytes);
      case 'ERR_HTTP_REQUEST_TIMEOUT':
        return new RequestTimeout();
      case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
        return new TooLarge(bodyBytes);
      default:
        return new BadRequest();
    }
  }

  /**
   * Writes an error straight to the socket, where there is no response to write it to, and closes
   * it.
   */
  private end(socket: Socket, error: ApiError): void {
    const startedAt = performance.now();
    const id = randomUUID();
    const { publicUrl } = this.options;
    const body = JSON.stringify(problemDetails(error, id, publicUrl ?? ''));
    const bytes = Buffer.byteLength(body);
    const secure = publicUrl?.startsWith('https:') ?? false;
    const headers = {
      'Content-Type': PROBLEM_MEDIA_TYPE,
      'Cache-Control': cacheControl.none,
      Vary: 'Accept, Accept-Encoding',
      ...Object.fromEntries(securityHeaders(secure)),
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
      'X-Request-Id': id,
      ...error.headers,
      'Content-Length': String(bytes),
      Date: new Date().toUTCString(),
      Connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const statusLine = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n`;
    socket.end(`${statusLine}${lines.join('')}\r\n${body}`);
    this.observers.finished({
      id,
      traceId: null,
      method: '',
      route: null,
      status: error.status,
      milliseconds: performance.now() - startedAt,
      bytes,
      userId: null,
      network: remoteOf(socket).loggedNetwork,
      cached: false,
      aborted: false,
    });
  }
}

/**
 * Node counts target and fields together; up to where it stopped, a target alone has no line break.
 */
function isTargetTooLong({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  return rawPacket !== undefined && !rawPacket.subarray(0, bytesParsed + 1).includes('\r\n');
}
