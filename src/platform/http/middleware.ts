import { Inject, Injectable } from '@nestjs/common';
import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/internal';
import type { NextFunction, Request, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ApiError,
  BadRequest,
  HeadersTooLarge,
  NotFound,
  UriTooLong,
  ValidationError,
} from '../errors/api-error.js';
import { RequestObservers } from '../logging/request-observer.js';
import { runInTrace } from '../logging/trace-context.js';
import { decodeText } from '../validation/query-pairs.js';
import { isHost } from './client.js';
import { HTTP_LIMITS, type HttpLimits } from './options.js';
import { ReplyWriter } from './reply-writer.js';
import { infoOf, RequestInfos } from './request.js';
import { cacheControl, RouteTable, SAFE_METHODS } from './routes.js';

/**
 * The service's Express middleware, in the order in which `configureApp` registers it: every
 * response gets its headers, and its request is checked as far as that needs no route and answered
 * where it is an OPTIONS.
 */
@Injectable()
export class RequestMiddleware {
  constructor(
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    private readonly infos: RequestInfos,
    private readonly observers: RequestObservers,
    private readonly replies: ReplyWriter,
    private readonly routes: RouteTable,
  ) {}

  /** Observes the end of a request, and sets the headers that every response has. */
  readonly begin = (request: Request, response: Response, next: NextFunction): void => {
    const info = this.infos.ensure(request, response);
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

/** Those that change a read, and those that libraries of scripts send with every request. */
const READ_HEADERS = [
  'Accept',
  'Accept-Language',
  'Cache-Control',
  'Content-Type',
  'If-None-Match',
  'If-Range',
  'Pragma',
  'Range',
  'X-Request-Id',
  'X-Requested-With',
];
const WRITE_HEADERS = [...READ_HEADERS, 'Authorization', 'If-Match', 'Idempotency-Key'];
/** Readable by scripts of other origins, besides the few that always are. */
export const EXPOSED_HEADERS = [
  'ETag',
  'Location',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'X-Ignored-Parameters',
  'Data-Revision',
  'Content-Disposition',
  'Accept-Ranges',
  'Content-Range',
];
/** Seconds for which a browser may remember a preflight. */
const MAX_AGE = 600;

const join = (names: readonly string[]) => names.join(', ');

/**
 * Options of Nest's `enableCors`: scripts of any origin may read; those of the listed origins may
 * do all that an address offers. No credentials: tokens travel in a header that scripts set
 * themselves.
 */
export function corsOptions(origins: readonly string[], routes: RouteTable): CorsOptionsDelegate<Request> {
  return (request, callback) => callback(null, optionsFor(request, origins, routes));
}

function optionsFor(request: Request, origins: readonly string[], routes: RouteTable): CorsOptions {
  const listed = origins.includes(request.headers.origin ?? '');
  if (request.method === 'OPTIONS') return preflight(request, listed, routes);
  if (SAFE_METHODS.has(request.method)) return { origin: '*', exposedHeaders: join(EXPOSED_HEADERS) };
  return { origin: [...origins], ...(listed ? { exposedHeaders: join(EXPOSED_HEADERS) } : {}) };
}

function preflight(request: Request, listed: boolean, routes: RouteTable): CorsOptions {
  const exposedHeaders = join(EXPOSED_HEADERS);
  const method = request.headers['access-control-request-method'];
  const allowed = routes.methodsAt(request.path);
  const isRead = method === 'GET' || method === 'HEAD';
  if (method === undefined || !allowed.includes(method) || (!listed && !isRead))
    return { origin: '*', methods: '', allowedHeaders: [], exposedHeaders, preflightContinue: true };
  return {
    origin: listed ? request.headers.origin! : '*',
    methods: join(listed ? allowed : allowed.filter((name) => SAFE_METHODS.has(name))),
    allowedHeaders: join(listed ? WRITE_HEADERS : READ_HEADERS),
    exposedHeaders,
    maxAge: MAX_AGE,
    preflightContinue: true,
  };
}

const YEAR = 31_536_000;

type Header = readonly [name: string, value: string];

/** The security headers of a reply, made once when the process starts. */
export function securityHeaders(secure: boolean): readonly Header[] {
  return secure ? HEADERS.tls : HEADERS.plain;
}

function optionsOf(secure: boolean): HelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    xContentTypeOptions: true,
    strictTransportSecurity: secure ? { maxAge: YEAR, includeSubDomains: false } : false,
    // Reliability R5 names the headers; these are not among them.
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
  };
}

/** Runs helmet on a response that only records what is set. */
function record(options: HelmetOptions): Header[] {
  const headers: Header[] = [];
  const response = {
    setHeader: (name: string, value: string) => {
      // One blank after each directive, as the headers have always been sent.
      headers.push([name, name === 'Content-Security-Policy' ? value.replaceAll(';', '; ') : value]);
    },
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error as Error;
  });
  return headers;
}

const HEADERS = { plain: record(optionsOf(false)), tls: record(optionsOf(true)) };
