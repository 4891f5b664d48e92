import type { Application } from 'express';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { connectionBurst } from '../../lib/scheduling/connection-burst.js';
import type { HttpLimits } from './request/http-options.js';
import { PipelinedResponses } from './pipelined-responses.js';

/** Milliseconds between two checks for requests whose headers are late. */
const HEADERS_CHECK_INTERVAL = 1000;

/** What the server hands its events to. */
export interface ServerListeners {
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
