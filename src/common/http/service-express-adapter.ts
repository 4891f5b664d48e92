import { ExpressAdapter } from '@nestjs/platform-express';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toApiError } from '../errors/to-api-error.js';
import { answerOn } from './answer-on.js';
import { type BrokenRequest, connectRefused, framingError } from './broken-requests.js';
import type { RequestPipeline } from './request-pipeline.js';
import { type HttpLimits, httpLimits } from './http-options.js';
import { PipelinedResponses } from './pipelined.js';
import { contextOf, type RequestContext } from './request-context.js';
import { pathParameters } from './route-table.js';

/** Milliseconds between two looks for requests whose head is late. */
const LATENESS_CHECK = 1000;

/** A handler as Nest registers it: it runs guards, pipes and filters itself, and answers through `reply`. */
type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => unknown;

/**
 * Nest's Express adapter with a server of our own. Requests come through the front door, which knows the routes, and go from
 * there straight to the handlers that Nest has registered; every answer is written by the answer writer. Express itself is
 * left out of the way: its router and its request and response objects cost five times what the rest does. So middleware and
 * Express's own methods (`response.json()` …) do not work here. `configureApp` opens the door before the application listens.
 */
export class ServiceExpressAdapter extends ExpressAdapter {
  private door: RequestPipeline | null = null;
  /** By method and pattern, as in the route table. */
  private readonly handlers = new Map<string, Handler>();

  constructor(readonly limits: HttpLimits = httpLimits) {
    super();
  }

  get frontDoor(): RequestPipeline {
    if (this.door === null) throw new Error('configureApp() has not been called.');
    return this.door;
  }

  /** Lets requests in. */
  open(door: RequestPipeline): void {
    this.door = door;
  }

  override initHttpServer(): void {
    const { limits } = this;
    const server = createServer({
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.headersMs,
      // Bodies have their own clocks, because an upload may take longer than other requests.
      requestTimeout: 0,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: Math.min(LATENESS_CHECK, limits.headersMs),
      // Without a host Node would answer by itself, and not in our words.
      requireHostHeader: false,
    });
    server.maxConnections = limits.sockets;
    server.maxHeadersCount = 0;
    const { watch } = new PipelinedResponses();
    server.on('request', (request, response) => {
      watch(request, response);
      this.frontDoor.handle(request, response);
    });
    server.on('checkContinue', (request, response) => {
      watch(request, response);
      this.frontDoor.handle(request, response, true);
    });
    server.on('checkExpectation', (request, response) => {
      watch(request, response);
      this.frontDoor.refuseExpectation(request, response);
    });
    server.on('clientError', (error, socket) => this.refuseBroken(error, socket as Socket));
    server.on('connect', (_, socket) => this.frontDoor.refuseBroken(socket as Socket, connectRefused));
    server.on('timeout', cutIfStuck);
    this.httpServer = server;
  }

  /**
   * Listens with room for as many new connections as there may be sockets: one that finds no room in the kernel's queue is tried
   * again by its client only after a second, then after three more.
   */
  override listen(port: string | number, ...args: unknown[]): Server {
    const host = args.find((argument) => typeof argument === 'string');
    const done = args.find((argument) => typeof argument === 'function') as () => void;
    return this.httpServer.listen({ port: Number(port), host, backlog: this.limits.sockets }, done);
  }

  /** Hands a request to the handler of its route. */
  dispatch(context: RequestContext): void {
    this.run(context).catch((error: unknown) => this.frontDoor.writer.problem(context, toApiError(error)));
  }

  private async run({ request, response, route, path }: RequestContext): Promise<void> {
    const handler = route && this.handlers.get(`${route.method} ${route.pattern}`);
    if (!handler) throw new Error(`${route?.method} ${route?.pattern} has no handler.`);
    Object.assign(request, { params: pathParameters(route.pattern, path) });
    await handler(request, response, () => undefined);
  }

  override get = this.remember('GET');
  override post = this.remember('POST');
  override put = this.remember('PUT');
  override patch = this.remember('PATCH');
  override delete = this.remember('DELETE');

  private remember(method: string) {
    return (path: unknown, handler?: unknown): void => {
      if (typeof path !== 'string' || typeof handler !== 'function')
        throw new Error('A route needs a path and a handler.');
      this.handlers.set(`${method} ${path}`, handler as Handler);
    };
  }

  override reply(response: ServerResponse, body: unknown, statusCode?: number): Promise<void> {
    return this.frontDoor.writer.reply(contextOf(response), body, statusCode ?? response.statusCode);
  }

  override status(response: ServerResponse, statusCode: number): void {
    response.statusCode = statusCode;
  }

  override setHeader(response: ServerResponse, name: string, value: string): void {
    response.setHeader(name, value);
  }

  override getHeader(response: ServerResponse, name: string): unknown {
    return response.getHeader(name);
  }

  override getHttpServer(): Server {
    return super.getHttpServer() as Server;
  }

  private refuseBroken(error: BrokenRequest, socket: Socket): void {
    // The answer to an earlier request may be on its way; another one in the middle of it would be taken for a part of it.
    const answering = answerOn(socket)?.headersSent ?? false;
    if (error.code === 'ECONNRESET' || answering || !socket.writable) socket.destroy();
    else this.frontDoor.refuseBroken(socket, framingError(error, this.limits));
  }
}

/**
 * A socket on which nothing has moved for a while, be it that a reader stands still or that no other request has come: cut, unless the
 * clock was set for an earlier answer and the present one is still in work.
 */
function cutIfStuck(socket: Socket): void {
  if (answerOn(socket) === null || socket.writableLength > 0) socket.destroy();
}
