import { ExpressAdapter } from '@nestjs/platform-express';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type BrokenRequest, connectRefused, framingError, refuseOnSocket } from './broken-requests.js';
import type { FrontDoor } from './front-door.js';
import { type HttpLimits, httpLimits } from './http-options.js';
import { contextOf } from './request-context.js';

/** Milliseconds between two looks for requests whose head is late. */
const LATENESS_CHECK = 1000;

/**
 * Nest's Express adapter with a server of our own: requests come through the front door, and every answer is written by the
 * answer writer. `configureApp` opens the door before the application listens.
 */
export class ServiceExpressAdapter extends ExpressAdapter {
  private door: FrontDoor | null = null;
  private publicUrl: string | null = null;

  constructor(readonly limits: HttpLimits = httpLimits) {
    super();
    this.set('query parser', false);
    this.set('etag', false);
    this.disable('x-powered-by');
  }

  get frontDoor(): FrontDoor {
    if (this.door === null) throw new Error('configureApp() has not been called.');
    return this.door;
  }

  /** @param publicUrl the configured public address, for refusals outside of requests */
  open(door: FrontDoor, publicUrl: string | null): void {
    this.door = door;
    this.publicUrl = publicUrl;
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
    server.on('request', (request, response) => this.frontDoor.handle(request, response));
    server.on('checkContinue', (request, response) => this.frontDoor.handle(request, response, true));
    server.on('checkExpectation', (request, response) => this.frontDoor.refuseExpectation(request, response));
    server.on('clientError', (error, socket) => this.refuseBroken(error, socket as Socket));
    server.on('connect', (_, socket) => refuseOnSocket(socket as Socket, connectRefused, this.publicUrl));
    server.setTimeout(limits.stallMs, cutIfStuck);
    this.httpServer = server;
  }

  /** Hands a request to Express. */
  dispatch(request: IncomingMessage, response: ServerResponse): void {
    (this.getInstance() as (request: IncomingMessage, response: ServerResponse) => void)(request, response);
  }

  override reply(response: ServerResponse, body: unknown, statusCode?: number): Promise<void> {
    return this.frontDoor.writer.reply(contextOf(response), body, statusCode ?? response.statusCode);
  }

  override status(response: ServerResponse, statusCode: number): void {
    response.statusCode = statusCode;
  }

  override getHttpServer(): Server {
    return super.getHttpServer() as Server;
  }

  private refuseBroken(error: BrokenRequest, socket: Socket): void {
    // The answer to an earlier request may be on its way; another one in the middle of it would be taken for a part of it.
    const answering = messageOf(socket)?.headersSent ?? false;
    if (error.code === 'ECONNRESET' || answering) socket.destroy();
    else refuseOnSocket(socket, framingError(error, this.limits), this.publicUrl);
  }
}

/** The answer that Node is working on for a connection. */
function messageOf(socket: Socket): ServerResponse | null {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

/**
 * A socket on which nothing has moved for a while: cut when an answer waits for its reader, or when there is nothing in work at
 * all. Work that takes long has its own clock.
 */
function cutIfStuck(socket: Socket): void {
  if (messageOf(socket) === null || socket.writableLength > 0) socket.destroy();
}
