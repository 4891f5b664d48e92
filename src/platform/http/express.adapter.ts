import { HttpException, type RequestMethod, StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Application, type Request, type Response } from 'express';
import { METHODS, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { MalformedJson, MethodNotAllowed, NotFound } from '../errors/api-error.js';
import { parseQuery } from '../validation/query-pairs.js';
import type { PageCacheListener } from './cache.listener.js';
import { withoutBasePath } from './client.js';
import { type HttpLimits, httpLimits } from './options.js';
import type { ConnectionAdmission } from './overload/connections.js';
import type { ReplyWriter } from './reply-writer.js';
import { infoOf, originForm } from './request.js';
import { type RegisteredRoutes, RoutePatterns } from './route-patterns.js';
import { createExpressServer, type RequestErrors } from './server.js';

/** What the adapter uses of the application once its modules are created. */
interface AdapterServices {
  listener: PageCacheListener;
  connections: ConnectionAdmission;
  replies: ReplyWriter;
  errors: RequestErrors;
  /** The path of `PUBLIC_URL`. */
  basePath: string;
}

type Handler = (request: Request) => never;

/**
 * Nest's Express adapter with three additions: the page cache in front of Express, replies that the
 * cache can store, and 405 for methods that an existing path does not have. `configureApp` connects
 * it with the application's services before the application listens.
 */
export class ServiceExpressAdapter extends ExpressAdapter {
  private services: AdapterServices | null = null;
  private readonly patterns = new RoutePatterns();
  /** What is registered with Express is known from Nest, or is middleware. */
  private isNestRegistering = false;

  constructor(readonly limits: HttpLimits = httpLimits) {
    super(expressApplication());
    this.recordRoutes();
  }

  /** Connects the adapter with the services of the application. */
  connect(services: AdapterServices): void {
    this.services = services;
  }

  /** The routes that Express has, as they are registered. */
  get registeredRoutes(): RegisteredRoutes {
    return this.patterns;
  }

  private get connected(): AdapterServices {
    if (this.services === null) throw new Error('configureApp() has not been called.');
    return this.services;
  }

  /** Notes each route that Nest registers, of whatever method, and those put on Express itself. */
  private recordRoutes(): void {
    const app = this.getInstance<Application>();
    const register = this as unknown as Record<string, (path: unknown, ...handlers: unknown[]) => unknown>;
    // CONNECT has no routes: it asks for a tunnel.
    const methods = METHODS.filter((name) => name !== 'CONNECT').map((name) => name.toLowerCase());
    for (const method of ['all', ...methods]) {
      const original = register[method]?.bind(this);
      if (original === undefined) continue;
      register[method] = (path, ...handlers) => {
        // Without handlers it reads a setting of Express.
        if (typeof path !== 'string' || handlers.length === 0) return original(path, ...handlers);
        this.patterns.add(method, path);
        return this.asNest(() => original(path, ...handlers));
      };
    }
    const route = app.route.bind(app);
    app.route = (path: string) => {
      const made = route(path);
      if (!this.isNestRegistering) this.patterns.addPlain(path, made);
      return made;
    };
  }

  /** Middleware of modules is registered as routes are, and is none. */
  override createMiddlewareFactory(
    method: RequestMethod,
  ): ReturnType<ExpressAdapter['createMiddlewareFactory']> {
    const register = super.createMiddlewareFactory(method);
    return (path, callback) => this.asNest(() => register(path, callback) as unknown);
  }

  private asNest(register: () => unknown): unknown {
    this.isNestRegistering = true;
    try {
      return register();
    } finally {
      this.isNestRegistering = false;
    }
  }

  override initHttpServer(): void {
    const app = this.getInstance<Application>();
    this.httpServer = createExpressServer(app, this.limits, {
      connection: (socket) => this.connected.connections.admit(socket),
      request: (request, response) => {
        request.url = withoutBasePath(originForm(request), this.connected.basePath);
        this.connected.connections.onRequest(request.socket);
        if (!this.connected.listener.handle(request, response)) app(request, response);
      },
      clientError: (error, socket) => this.connected.errors.onClientError(error, socket),
      connect: (socket: Socket) => this.connected.errors.onConnect(socket),
    });
  }

  /**
   * Listens with a backlog of as many connections as there may be sockets: a client whose
   * connection finds the kernel's queue full retries after one second, then after three more.
   */
  override listen(port: string | number, ...args: unknown[]): Server {
    const host = args.find((argument) => typeof argument === 'string');
    const callback = args.find((argument) => typeof argument === 'function') as () => void;
    const options = { port: Number(port), host, backlog: this.limits.sockets };
    return (this.httpServer as Server).listen(options, callback);
  }

  /** Values and replies of handlers; strings, nothing and `StreamableFile` are Nest's business. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile)
      return super.reply(response, body, statusCode);
    return this.connected.replies.send(infoOf(response), body, statusCode ?? response.statusCode);
  }

  /** In place of Nest's handler, whose message quotes the address. */
  override setNotFoundHandler(_: unknown, prefix?: string): unknown {
    const handler: Handler = (request) => {
      const methods = this.patterns.methodsAt(request.path);
      throw methods.length > 0 ? new MethodNotAllowed(methods) : new NotFound();
    };
    return super.setNotFoundHandler(handler, prefix ?? '');
  }

  /**
   * Errors of Express middleware. Messages of parsers may quote the body, so only their status is
   * used.
   */
  override mapException(error: unknown): unknown {
    if (error instanceof SyntaxError && 'status' in error)
      return new MalformedJson('The body is not valid JSON.');
    const { status, expose } = Object(error) as { status?: unknown; expose?: unknown };
    if (typeof status !== 'number' || expose === undefined) return super.mapException(error);
    return new HttpException(STATUS_CODES[status] ?? 'Error', status);
  }

  override getHttpServer(): Server {
    return super.getHttpServer();
  }
}

/** Express with the service's settings; some have to be set before its router is created. */
function expressApplication(): Application {
  const app = express();
  app.enable('case sensitive routing');
  app.disable('x-powered-by');
  app.set('query parser', parseQuery);
  return app;
}
