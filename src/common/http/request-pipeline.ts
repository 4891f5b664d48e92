import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { callerOf } from '../access/caller.js';
import { PageCache } from '../caching/page-cache.js';
import type { RevisionSource } from '../caching/revision-source.js';
import {
  ApiError,
  BadRequest,
  HeadersTooLarge,
  ValidationError,
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  Throttled,
  Timeout,
  Unavailable,
  UriTooLong,
} from '../errors/api-error.js';
import { toApiError } from '../errors/to-api-error.js';
import { utcDate } from '../filtering/relative-date.js';
import { RequestQueue } from '../scheduling/request-queue.js';
import type { ServiceLog } from '../logging/service-log.js';
import { negotiate, typesOf } from './accept.js';
import { Reply, type Format } from './reply.js';
import { refuseOnSocket } from './broken-requests.js';
import { ReplyWriter, cacheKey } from './reply-writer.js';
import { chooseEncoding } from './compression.js';
import { optionsHeaders } from './cors.js';
import { type CachedReply, type EncodedVariant, send } from './cached-reply.js';
import type { HttpLimits, HttpOptions } from './http-options.js';
import { isHost, type Peer, ProxyTrust } from './peer.js';
import { decodeText, QueryPairs } from './query-pairs.js';
import { RequestContext, type RequestSettings } from './request-context.js';
import { acceptedRequestId, announcesBody, firstValue, readHead, type RequestHead } from './request-head.js';
import { RequestIds } from './request-ids.js';
import type { FinishedRequest, RequestObserver } from './request-observer.js';
import { splitTarget } from './request-target.js';
import type { Address, Route, RouteTable } from './route-table.js';
import type { Throttle, ThrottleResult } from './throttle.js';

/** What the front door works with. */
export interface RequestPipelineDependencies {
  options: HttpOptions;
  limits: HttpLimits;
  routes: RouteTable;
  log: ServiceLog;
  revision: RevisionSource;
  /** Null where nothing is counted. */
  throttle: Throttle | null;
  observers: readonly RequestObserver[];
  /** Hands a request that has passed to its handler. */
  dispatch: (context: RequestContext) => void;
}

/**
 * Stands before the handlers: gives every request its id and context, refuses what needs no handler, and answers repeated
 * reads from the page cache. The order of the checks is the order in which faults are reported.
 */
export class RequestPipeline {
  readonly writer: ReplyWriter;
  readonly cache: PageCache;
  /** Requests that are being worked on, those to always served routes not counted. */
  inWork = 0;
  private readonly ids = new RequestIds();
  private readonly line = new RequestQueue();
  private readonly trust: ProxyTrust;
  private readonly settings: RequestSettings;
  private readonly today: () => string;
  private lastHost = '';
  private lastOrigin = 'http://';

  constructor(private readonly parts: RequestPipelineDependencies) {
    const { options, limits, log } = parts;
    const clock = options.clock ?? Date.now;
    this.cache = new PageCache({
      totalBytes: limits.cacheBytes,
      pageBytes: limits.cachedAnswerBytes,
      hosts: limits.cachedHosts,
    });
    this.writer = new ReplyWriter(options, limits, this.cache, log);
    this.trust = new ProxyTrust(options.trustProxy);
    this.settings = { maxPageSize: options.maxPageSize, clock };
    this.today = () => utcDate(clock());
  }

  /** From now on each answer closes its connection. */
  drain(): void {
    this.writer.closing = true;
  }

  /** Takes a request. @param expectsContinue the client waits before it sends the body */
  handle(request: IncomingMessage, response: ServerResponse, expectsContinue = false): void {
    const startedAt = performance.now();
    try {
      const head = readHead(request.rawHeaders);
      if (this.answerFromCache(request, response, head, startedAt)) return;
      this.answer(this.arrive(request, response, startedAt, expectsContinue), head);
    } catch (error) {
      // The door itself is at fault. One request is lost by it, not the process.
      this.parts.log.pino.error({ err: error }, 'request lost');
      response.destroy();
    }
  }

  /** Refuses a request whose expectation is not `100-continue`. */
  refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
    const context = this.arrive(request, response, performance.now(), true);
    this.writer.problem(
      context,
      new ApiError('expectation_failed', 'Only Expect: 100-continue is understood.'),
    );
  }

  /** Refuses what Node could not read as a request, and closes its connection. */
  refuseBroken(socket: Socket, error: ApiError): void {
    const startedAt = performance.now();
    const { id, bytes } = refuseOnSocket(socket, error, this.parts.options.publicUrl);
    this.tell({
      id,
      method: '',
      route: null,
      status: error.status,
      milliseconds: performance.now() - startedAt,
      bytes,
      userId: null,
      network: this.trust.peer(socket).network,
      cached: false,
      aborted: false,
    });
  }

  // The page cache

  /**
   * Answers from the page cache where it has a page that is still true. Whatever is out of the ordinary is left to the long
   * way: this path is measured against a bare HTTP server.
   */
  private answerFromCache(
    request: IncomingMessage,
    response: ServerResponse,
    head: RequestHead,
    startedAt: number,
  ): boolean {
    const { method, url = '', headers } = request;
    if ((method !== 'GET' && method !== 'HEAD') || head.hosts !== 1 || announcesBody(request)) return false;
    const { headerBytes, targetBytes } = this.parts.limits;
    if (head.size > headerBytes || url.length > targetBytes) return false;
    const peer = this.trust.peer(request.socket);
    const pages = this.cache.host(this.originOf(headers, peer));
    const address = pages?.get(url) ?? pages?.get(cacheKey(url));
    if (address === undefined) return false;
    const { route } = address;
    const revision = this.parts.revision.current(route.cachedBy ?? '');
    const format = address.format ?? formatFor(headers.accept, route);
    if (revision === null || format === null) return false;
    const answer = this.cache.fresh(address, format, revision, this.today);
    if (answer === null) return false;

    let verdict: ThrottleResult | null = null;
    if (this.parts.throttle !== null) {
      verdict = this.parts.throttle.take(
        request,
        route,
        this.trust.clientAddress(peer, headers['x-forwarded-for']),
      );
      if (verdict !== null && verdict.retryAfter !== null) {
        const context = this.arrive(request, response, startedAt, false);
        context.route = route;
        this.writer.problem(context, new Throttled(verdict.retryAfter, verdict.headers));
        return true;
      }
    }
    const form = answer.form(chooseEncoding(headers['accept-encoding']));
    const hit = { request, response, startedAt, route, peer, verdict, answer };
    if (form instanceof Promise) {
      form.then(
        (made) => response.destroyed || this.sendHit(hit, made),
        () => response.destroy(),
      );
    } else this.sendHit(hit, form);
    return true;
  }

  private sendHit(hit: Hit, form: EncodedVariant): void {
    const { request, response, route, verdict } = hit;
    const id = acceptedRequestId(request.headers['x-request-id']) ?? this.ids.next();
    let extra = verdict === null ? null : Object.entries(verdict.headers).flat();
    if (this.writer.closing) extra = [...(extra ?? []), 'Connection', 'close'];
    const isHead = request.method === 'HEAD';
    const bytes = send(response, hit.answer, form, {
      requestId: id,
      ifNoneMatch: request.headers['if-none-match'],
      read: true,
      head: isHead,
      extra,
      stallMs: this.parts.limits.stallMs,
    });
    this.tell({
      id,
      method: isHead ? 'HEAD' : 'GET',
      route: route.pattern,
      status: response.statusCode,
      milliseconds: performance.now() - hit.startedAt,
      bytes,
      userId: null,
      network: hit.peer.network,
      cached: true,
      aborted: false,
    });
  }

  // The long way

  private arrive(
    request: IncomingMessage,
    response: ServerResponse,
    startedAt: number,
    expectsContinue: boolean,
  ): RequestContext {
    const { url = '', socket } = request;
    const peer = this.trust.peer(socket);
    // A target that is too long is refused before it is looked into.
    const target = splitTarget(url.length > this.parts.limits.targetBytes ? '/' : url);
    const context = new RequestContext({
      request,
      response,
      id: acceptedRequestId(request.headers['x-request-id']) ?? this.ids.next(),
      startedAt,
      path: target.path,
      query: new QueryPairs(target.query),
      origin: this.originOf(request.headers, peer),
      peer,
      clientAddress: this.trust.clientAddress(peer, request.headers['x-forwarded-for']),
      settings: this.settings,
    });
    context.expectsContinue = expectsContinue;
    response.once('close', () => this.observe(context));
    return context;
  }

  private answer(context: RequestContext, head: RequestHead): void {
    try {
      const address = this.admit(context, head);
      if (context.request.method === 'OPTIONS') this.answerOptions(context, address);
      else this.pass(context, this.choose(context, address));
    } catch (error) {
      this.writer.problem(context, toApiError(error));
    }
  }

  /** What is wrong with a request before it is known what it is for. */
  private admit(context: RequestContext, head: RequestHead): Address {
    const { request, path } = context;
    const { limits, routes } = this.parts;
    checkHost(request, head.hosts);
    if (head.size > limits.headerBytes) throw new HeadersTooLarge(limits.headerBytes);
    if ((request.url ?? '').length > limits.targetBytes) throw new UriTooLong(limits.targetBytes);
    if (decodeText(path) === null) throw new ValidationError([badPath]);
    const address = routes.match(path);
    if (address === null) throw new NotFound();
    return address;
  }

  private answerOptions(context: RequestContext, address: Address): void {
    const headers = optionsHeaders(address, context.request.headers, this.parts.options.corsOrigins);
    void this.writer.reply(context, Reply.empty({ headers }), 204);
  }

  /** The route, its throttle, and the form of its answer. */
  private choose(context: RequestContext, address: Address): Route {
    const { request } = context;
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    const route = address.routes.get(method);
    if (route === undefined) throw new MethodNotAllowed(address.allow);
    context.route = route;
    if (!route.alwaysServed) this.throttle(context, route);
    const asked = context.query.all('format');
    const named = route.formats.find((format) => asked.length === 1 && format === asked[0]);
    const format = named ?? (asked.length > 0 ? 'json' : negotiate(request.headers.accept, route.formats));
    if (format === null) throw new NotAcceptable(typesOf(route.formats));
    context.format = format;
    if (route.cachedBy !== null) context.revision = this.parts.revision.current(route.cachedBy);
    return route;
  }

  private throttle(context: RequestContext, route: Route): void {
    const verdict = this.parts.throttle?.take(context.request, route, context.clientAddress) ?? null;
    if (verdict === null) return;
    if (verdict.retryAfter !== null) throw new Throttled(verdict.retryAfter, verdict.headers);
    context.ownHeaders.push(...Object.entries(verdict.headers).flat());
  }

  /** Hands the request over, unless there is too much to do. */
  private pass(context: RequestContext, route: Route): void {
    const { limits, dispatch } = this.parts;
    const { response } = context;
    if (!route.alwaysServed) {
      const stuck = this.line.length > limits.shortLine && this.line.oldestWait > limits.lineMs;
      if (this.inWork >= limits.requestsInWork || stuck) {
        throw new Unavailable('The service is busy. Try again.');
      }
      this.inWork++;
      let working = true;
      context.release = () => {
        if (working) this.inWork--;
        working = false;
      };
      response.once('close', context.release);
    }
    if (context.isRead && route.deadline && !route.alwaysServed) this.setDeadline(context);
    if (route.alwaysServed) return dispatch(context);
    this.line.run(() => {
      // In the meantime its client may have left, or its time may be over.
      if (!context.isAborted && !context.replied) dispatch(context);
    });
  }

  private setDeadline(context: RequestContext): void {
    const timer = setTimeout(() => {
      if (!context.replied) this.writer.problem(context, new Timeout());
    }, this.parts.limits.firstByteMs).unref();
    context.response.once('close', () => clearTimeout(timer));
  }

  /** Scheme and host of links to this service. */
  private originOf(headers: IncomingHttpHeaders, peer: Peer): string {
    const { publicUrl } = this.parts.options;
    if (publicUrl !== null) return publicUrl;
    const { host = 'localhost' } = headers;
    if (!peer.trusted) return this.plainOrigin(host);
    const forwarded = firstValue(headers['x-forwarded-host']);
    const scheme = firstValue(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http';
    return `${scheme}://${forwarded !== null && isHost(forwarded) ? forwarded : host}`;
  }

  /** Most requests name the host that the one before did, and a text put together anew costs the page cache a new hash. */
  private plainOrigin(host: string): string {
    if (host !== this.lastHost) {
      this.lastHost = host;
      this.lastOrigin = `http://${host}`;
    }
    return this.lastOrigin;
  }

  private observe(context: RequestContext): void {
    const { request, response, route, startedAt } = context;
    this.tell({
      id: context.id,
      method: request.method ?? '',
      route: route?.pattern ?? null,
      status: response.statusCode,
      milliseconds: performance.now() - startedAt,
      bytes: context.bytesSent,
      userId: callerOf(request)?.accountId ?? null,
      network: context.peer.network,
      cached: false,
      aborted: !response.writableFinished,
    });
  }

  private tell(request: FinishedRequest): void {
    for (const observer of this.parts.observers) observer.finished(request);
  }
}

interface Hit {
  request: IncomingMessage;
  response: ServerResponse;
  startedAt: number;
  route: Route;
  peer: Peer;
  verdict: ThrottleResult | null;
  answer: CachedReply;
}

const badPath = {
  in: 'path',
  code: 'invalid_encoding',
  detail: 'The path is not percent-encoded UTF-8 without control characters.',
} as const;

/** A request needs exactly one host, and one that links can be made of. HTTP/1.0 knows none. */
function checkHost(request: IncomingMessage, hosts: number): void {
  if (hosts === 0 && request.httpVersion === '1.0') return;
  if (hosts !== 1 || !isHost(request.headers.host ?? '')) {
    throw new BadRequest('The request needs one Host header with the name of a host.', {
      headers: { Connection: 'close' },
    });
  }
}

const known = new WeakMap<Route, Map<string | undefined, Format | null>>();
const MAX_KNOWN = 100;

/** As `negotiate`, remembered: clients send a handful of different headers. */
function formatFor(accept: string | undefined, route: Route): Format | null {
  let formats = known.get(route);
  if (formats === undefined) known.set(route, (formats = new Map()));
  let format = formats.get(accept);
  if (format === undefined) {
    format = negotiate(accept, route.formats);
    if (formats.size < MAX_KNOWN) formats.set(accept, format);
  }
  return format;
}
