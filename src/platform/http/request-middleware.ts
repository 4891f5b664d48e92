import { Inject, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import {
  ApiError,
  BadRequest,
  HeadersTooLarge,
  NotFound,
  UriTooLong,
  ValidationError,
} from '../errors/api-error.js';
import { RouteTable } from './routes/route-table.js';
import { HTTP_LIMITS, type HttpLimits } from './request/http-options.js';
import { decodeText } from '../validation/query-pairs.js';
import { ReplyWriter } from './response/reply-writer.js';
import { infoOf } from './request/request-info.js';
import { RequestObservers } from '../logging/request-observer.js';
import { runInTrace } from '../logging/trace-context.js';
import { isHost } from './request/request-origin.js';
import { cacheControl } from './routes/route-decorators.js';
import { securityHeaders } from './response/security-headers.js';

/**
 * The service's Express middleware, in the order in which `configureApp` registers it: every
 * request gets its context and the headers of its response, is checked as far as that needs no
 * route, and is answered where it is an OPTIONS.
 */
@Injectable()
export class RequestMiddleware {
  constructor(
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    private readonly observers: RequestObservers,
    private readonly replies: ReplyWriter,
    private readonly routes: RouteTable,
  ) {}

  /** Observes the end of a request, and sets the headers that every response has. */
  readonly begin = (request: Request, response: Response, next: NextFunction): void => {
    const info = infoOf(request);
    response.setHeader('X-Request-Id', info.id);
    response.setHeader('Cache-Control', cacheControl.none);
    response.setHeader('Vary', 'Accept, Accept-Encoding');
    for (const [name, value] of securityHeaders(info.origin.startsWith('https:')))
      response.setHeader(name, value);
    if (this.replies.closing) response.setHeader('Connection', 'close');
    response.once('close', () => this.observers.finished(info.finished(false, !response.writableFinished)));
    runInTrace(info.trace, next);
  };

  /**
   * Rejects what needs no route to be wrong, in the order of the reliability rules.
   * @throws ApiError, BadRequest, HeadersTooLarge, UriTooLong, ValidationError
   */
  readonly check = (request: Request, _response: Response, next: NextFunction): void => {
    const { expect } = request.headers;
    if (expect !== undefined && expect.toLowerCase() !== '100-continue')
      throw new ApiError('expectation_failed', 'Only Expect: 100-continue is supported.');
    const { head, path } = infoOf(request);
    checkHost(request, head.hosts);
    if (head.size > this.limits.headerBytes) throw new HeadersTooLarge(this.limits.headerBytes);
    if (request.url.length > this.limits.targetBytes) throw new UriTooLong(this.limits.targetBytes);
    // A target that Express understands in another way: with a fragment, or of another scheme.
    if (path !== request.path) throw new NotFound();
    if (decodeText(request.path) === null) throw new ValidationError([BAD_PATH]);
    next();
  };

  /**
   * Answers OPTIONS; what scripts of other origins may do has been added by Nest's CORS middleware.
   */
  readonly answerOptions = (request: Request, response: Response, next: NextFunction): void => {
    if (request.method !== 'OPTIONS') return next();
    const methods = this.routes.methodsAt(request.path);
    if (methods.length === 0) throw new NotFound();
    if (isPreflight(request, methods)) response.vary('Origin');
    response.setHeader('Allow', methods.join(', '));
    response.status(204).end();
  };
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
