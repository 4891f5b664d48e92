import { Inject, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { performance } from 'node:perf_hooks';
import { accountKey, callerOf } from './request/caller.js';
import {
  ApiError,
  BadRequest,
  HeadersTooLarge,
  NotFound,
  UriTooLong,
  ValidationError,
} from '../errors/api-error.js';
import { allowedMethods } from './routes/allowed-methods.js';
import { HTTP_LIMITS, HTTP_OPTIONS, type HttpLimits, type HttpOptions } from './request/http-options.js';
import { decodeText, QueryPairs } from '../validation/query-pairs.js';
import { ReplyWriter } from './response/reply-writer.js';
import { contextOf, RequestContext, type RequestSettings } from './request/request-context.js';
import { acceptedRequestId, readHead } from './request/request-head.js';
import { RequestIds } from './request/request-ids.js';
import { RequestObservers } from '../logging/request-observer.js';
import { readTraceContext, runInTrace } from '../logging/trace-context.js';
import { clientOf, isHost, originOf } from './request/request-origin.js';
import { splitTarget } from './request/request-target.js';
import { cacheControl } from './routes/route-decorators.js';
import { securityHeaders } from './response/security-headers.js';

/**
 * The service's Express middleware, in the order in which `configureApp` registers it: every
 * request gets its context and the headers of its response, is checked as far as that needs no
 * route, and is answered where it is an OPTIONS.
 */
@Injectable()
export class RequestMiddleware {
  private readonly settings: RequestSettings;

  constructor(
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    private readonly ids: RequestIds,
    private readonly observers: RequestObservers,
    private readonly replies: ReplyWriter,
  ) {
    const { maxPageSize, sources, clock } = options;
    this.settings = { maxPageSize, sources, clock, commitMs: limits.commitMs };
  }

  /**
   * Creates the request's context, observes its end, and sets the headers that every response has.
   */
  readonly begin = (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    // A target that is too long is rejected before it is parsed.
    const target = splitTarget(request.url.length > this.limits.targetBytes ? '/' : request.url);
    const client = clientOf(request);
    const context = new RequestContext({
      request,
      response,
      id: acceptedRequestId(request.headers['x-request-id']) ?? this.ids.next(),
      trace: readTraceContext(request.headers),
      startedAt,
      path: target.path,
      query: new QueryPairs(target.query),
      origin: originOf(request, this.options.publicUrl),
      clientAddress: client.address,
      clientNetwork: client.network,
      settings: this.settings,
    });
    response.setHeader('X-Request-Id', context.id);
    response.setHeader('Cache-Control', cacheControl.none);
    response.setHeader('Vary', 'Accept, Accept-Encoding');
    for (const [name, value] of securityHeaders(context.origin.startsWith('https:')))
      response.setHeader(name, value);
    if (this.replies.closing) response.setHeader('Connection', 'close');
    response.once('close', () => this.observe(context));
    runInTrace(context.trace, next);
  };

  /**
   * Rejects what needs no route to be wrong, in the order of the reliability rules.
   * @throws ApiError, BadRequest, HeadersTooLarge, UriTooLong, ValidationError
   */
  readonly check = (request: Request, _response: Response, next: NextFunction): void => {
    const { expect } = request.headers;
    if (expect !== undefined && expect.toLowerCase() !== '100-continue')
      throw new ApiError('expectation_failed', 'Only Expect: 100-continue is supported.');
    const head = readHead(request.rawHeaders);
    checkHost(request, head.hosts);
    if (head.size > this.limits.headerBytes) throw new HeadersTooLarge(this.limits.headerBytes);
    if (request.url.length > this.limits.targetBytes) throw new UriTooLong(this.limits.targetBytes);
    // A target that Express understands in another way: with a fragment, or of another scheme.
    if (contextOf(request).path !== request.path) throw new NotFound();
    if (decodeText(request.path) === null) throw new ValidationError([BAD_PATH]);
    next();
  };

  /**
   * Answers OPTIONS; what scripts of other origins may do has been added by Nest's CORS middleware.
   */
  readonly answerOptions = (request: Request, response: Response, next: NextFunction): void => {
    if (request.method !== 'OPTIONS') return next();
    const methods = allowedMethods(request.app as never, request.path);
    if (methods.length === 0) throw new NotFound();
    if (isPreflight(request, methods)) response.vary('Origin');
    response.setHeader('Allow', methods.join(', '));
    response.status(204).end();
  };

  private observe(context: RequestContext): void {
    const { id, trace, request, response, route, startedAt, bytesSent, clientNetwork } = context;
    const caller = callerOf(request);
    this.observers.finished({
      id,
      traceId: trace?.traceId ?? null,
      method: request.method,
      route: route?.pattern ?? null,
      status: response.statusCode,
      milliseconds: performance.now() - startedAt,
      bytes: bytesSent,
      userId: caller && accountKey(caller),
      network: clientNetwork,
      cached: false,
      aborted: !response.writableFinished,
    });
  }
}

/** Whether a browser asks for one of the methods on behalf of another origin. */
function isPreflight({ headers }: Request, methods: readonly string[]): boolean {
  return headers.origin !== undefined && methods.includes(headers['access-control-request-method'] ?? '');
}

const BAD_PATH = {
  in: 'path',
  code: 'invalid_encoding',
  detail: 'The path is not percent-encoded UTF-8 without control characters.',
} as const;

/** A request needs exactly one host, and one that links can be made of. HTTP/1.0 knows none. */
function checkHost(request: Request, hosts: number): void {
  if (hosts === 0 && request.httpVersion === '1.0') return;
  if (hosts !== 1 || !isHost(request.headers.host ?? '')) {
    throw new BadRequest('The request must have one Host header that names a host.', {
      headers: { Connection: 'close' },
    });
  }
}
