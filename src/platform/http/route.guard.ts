import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import type { Application, Request } from 'express';
import { REVISION_SOURCE, type RevisionSource } from './cache/revision-source.js';
import { MethodNotAllowed, NotAcceptable, Timeout, Unavailable } from '../errors/api-error.js';
import { RequestQueue } from '../../lib/scheduling/request-queue.js';
import { mediaTypesOf, negotiate } from './request/accept.js';
import { clientNetwork } from './request/client-network.js';
import { HTTP_LIMITS, type HttpLimits } from './request/http-options.js';
import { busy, HeavyReplies } from './response/heavy-replies.js';
import { ReadCosts } from './response/read-costs.js';
import { ReplyWriter } from './response/reply-writer.js';
import { SlowReaders } from './response/slow-readers.js';
import { contextOf, isHttp, METHODS_WITH_BODY, type RequestContext } from './request/request-context.js';
import { allowedMethods, shadowTest } from './routes/allowed-methods.js';
import { type Route, routeOptions } from './routes/route-options.js';
import { applyThrottle, THROTTLE, type Throttle } from './routes/throttle.js';

/**
 * How many requests of one client may be in work for each place that is free: a client alone gets
 * nearly all places, and several leave some for the next.
 */
const SHARE = 8;

/**
 * The first of the global guards: finds out what the route's decorators say, and applies it in the
 * order of the reliability rules: throttle of addresses, `Accept`, load. It comes before
 * authentication, so that a flood of reads costs no look at the database.
 */
@Injectable()
export class RouteGuard implements CanActivate {
  /** Requests being worked on, those to always served routes not counted. */
  inWork = 0;
  /** The same by client network. */
  private readonly inWorkOf = new Map<string, number>();
  private readonly queue = new RequestQueue();
  /** By Express's route, of which there is one for each path of a handler. */
  private readonly routes = new WeakMap<object, Route>();
  private readonly shadowTests = new WeakMap<object, (path: string) => boolean>();

  constructor(
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    private readonly replies: ReplyWriter,
    private readonly heavy: HeavyReplies,
    private readonly slowReaders: SlowReaders,
    private readonly costs: ReadCosts,
    @Optional() @Inject(REVISION_SOURCE) private readonly revision?: RevisionSource,
    @Optional() @Inject(THROTTLE) private readonly throttle?: Throttle | null,
  ) {}

  /**
   * @throws Throttled, NotAcceptable
   * @throws Unavailable when there is too much to do
   */
  canActivate(execution: ExecutionContext): true | Promise<true> {
    if (!isHttp(execution)) return true;
    const request = execution.switchToHttp().getRequest<Request>();
    const context = contextOf(request);
    const route = this.routeOf(request, execution);
    if (!context.isRead && this.mayBeOther(request)) checkMethod(request);
    context.route = route;
    if (!route.alwaysServed && route.throttle !== null)
      applyThrottle(this.throttle, context.response, route.throttle, clientNetwork(context.clientAddress));
    if (!route.alwaysServed && route.throttle === 'read') this.costs.begin(context);
    context.format = formatOf(context, route);
    if (route.cacheAreas !== null) {
      context.revision = this.revision?.current(route.cacheAreas) ?? null;
      context.dataRevision = this.revision?.newest() ?? null;
    }
    if (route.alwaysServed) return true;
    // A request with a body becomes work when its body is there; a route that reads it itself is.
    const isWork = !context.hasBody || !METHODS_WITH_BODY.has(request.method) || route.rawBody !== null;
    const admitted = isWork ? this.admit(context) : true;
    const deadline = route.deadline ? this.setDeadline(context) : undefined;
    context.admit = (afterWait) => {
      if (afterWait) {
        context.admittedAt = performance.now();
        deadline?.refresh();
      }
      return this.admit(context);
    };
    context.response.once('close', () => {
      context.release();
      clearTimeout(deadline);
    });
    return admitted;
  }

  private routeOf(request: Request, execution: ExecutionContext): Route {
    let route = this.routes.get(request.route as object);
    if (route === undefined) {
      const { path } = request.route as { path: string };
      route = { pattern: path, ...routeOptions(execution.getClass(), execution.getHandler()) };
      this.routes.set(request.route as object, route);
    }
    return route;
  }

  /** Whether the path of a request matches another route's pattern, too. */
  private mayBeOther({ app, route, path }: Request): boolean {
    let isShadowed = this.shadowTests.get(route as object);
    if (isShadowed === undefined) {
      isShadowed = shadowTest(app as Application, (route as { path: string }).path);
      this.shadowTests.set(route as object, isShadowed);
    }
    return isShadowed(path);
  }

  /**
   * Counts a request as work, and lets it begin when its turn comes.
   * @throws Unavailable when there is too much to do
   */
  private admit(context: RequestContext): Promise<true> {
    const { limits, queue } = this;
    const client = clientNetwork(context.clientAddress);
    const overloaded =
      queue.length > limits.shortQueue && queue.oldestWait > limits.queueMs && queue.hasShare(client);
    const ofClient = this.inWorkOf.get(client) ?? 0;
    const free = limits.requestsInWork - this.inWork;
    if (free <= 0 || ofClient > SHARE * free || overloaded)
      throw new Unavailable('The service is busy. Try again.');
    this.slowReaders.check(context);
    context.expectItems = (items) => this.heavy.begin(context, items);
    this.inWork++;
    this.inWorkOf.set(client, ofClient + 1);
    let working = true;
    context.release = () => {
      if (working) this.end(client);
      working = false;
    };
    // The client may have left while its body was received: then nothing else releases it.
    if (context.isAborted) context.release();
    return new Promise((resolve) => {
      queue.run(() => {
        // Meanwhile the client may have left, or the deadline passed: then nothing is done any
        // more.
        if (context.isAborted || context.replied) return;
        context.cost?.work();
        resolve(true);
      }, client);
    });
  }

  private end(client: string): void {
    this.inWork--;
    const left = this.inWorkOf.get(client)! - 1;
    if (left > 0) this.inWorkOf.set(client, left);
    else this.inWorkOf.delete(client);
  }

  /** Replies to a request that takes too long. Writes have been rolled back by then. */
  private setDeadline(context: RequestContext): NodeJS.Timeout {
    const { firstByteMs, writeMs } = this.limits;
    const isRead = context.isRead;
    const reply = () => {
      // The body has a time limit of its own.
      if (context.replied || context.waiting || !(isRead || context.request.complete)) return;
      const readError = context.turns === null ? new Timeout() : busy();
      this.replies.problem(context, isRead ? readError : new Unavailable());
      if (isRead) context.cancel();
    };
    return setTimeout(reply, isRead ? firstByteMs : writeMs).unref();
  }
}

/**
 * `format=` wins over `Accept`; whether it is one of the route's is checked with the other
 * parameters.
 */
function formatOf({ request, query }: RequestContext, { formats }: Route) {
  const asked = query.all('format');
  if (asked.length > 0) return formats.find((format) => asked.length === 1 && format === asked[0]) ?? 'json';
  const format = negotiate(request.headers.accept, formats);
  if (format === null) throw new NotAcceptable(mediaTypesOf(formats));
  return format;
}

/** Rejects a method that only a wider pattern has: `Thing/:id` where `Thing/latest` is another. */
function checkMethod({ app, path, method }: Request): void {
  const methods = allowedMethods(app as Application, path);
  if (!methods.includes(method)) throw new MethodNotAllowed(methods);
}
