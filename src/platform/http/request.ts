import { createParamDecorator, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { FinishedRequest } from '../logging/request-observer.js';
import { readTraceContext, type TraceContext } from '../logging/trace-context.js';
import { QueryPairs } from '../validation/query-pairs.js';
import { accountKey, callerOf } from './caller.js';
import { type Client, clientOf, originOf } from './client.js';
import { HTTP_LIMITS, HTTP_OPTIONS, type HttpLimits, type HttpOptions } from './options.js';
import type { Route } from './routes.js';

/** Settings that requests, parameters and links depend on. */
interface RequestSettings {
  /** Scheme and host of links; null to take them from the request. */
  publicUrl: string | null;
  /** Bytes of the longest target that is parsed. */
  targetBytes: number;
  maxPageSize: number;
  /** Milliseconds since 1970; what "today" is. */
  clock: () => number;
  /** Path at which the sources of the data are listed. */
  sourcesPath: string;
  /** Milliseconds until a write must be committed. */
  commitMs: number;
}

/**
 * What a request holds while it is worked on: a place among the requests in work, or in its stead
 * one among heavy replies or waiting clients.
 */
export interface Permit {
  /**
   * Makes the request count as work, and waits for its turn.
   * @param afterBody its deadline begins now: its body had to be waited for
   * @throws Unavailable when there is too much to do
   */
  acquire(afterBody: boolean): Promise<true>;
  /** It no longer counts as work: its reply is ready, or waits for a slow reader. */
  release(): void;
  /**
   * Waits until a reply of so many rows or points may be made. A handler that makes long replies
   * calls it before the work begins.
   * @throws Unavailable when there are too many such replies
   */
  readonly expectItems: (items: number) => Promise<void>;
  /**
   * From now on the client waits for something to happen: no deadline applies.
   * @throws Unavailable when too many wait
   */
  wait(): void;
  /** The reply is not being made for a while. */
  pause(): void;
  /** It goes on when its turn has come. @throws AbortError when the client leaves */
  resume(): Promise<void>;
  /** Lets others have a turn if this reply has taken long. */
  share(): Promise<void>;
}

const done = () => Promise.resolve();

/** Of requests that no limit applies to. */
const UNLIMITED: Permit = {
  acquire: () => Promise.resolve(true),
  release: () => undefined,
  expectItems: done,
  wait: () => undefined,
  pause: () => undefined,
  resume: done,
  share: done,
};

/** Counts what a reply costs. */
export interface ReplyCost {
  /** It is being made from now on. */
  work(): void;
  /** It waits, or has been made. */
  rest(): void;
  /** Counts what has been made so far. */
  book(): void;
}

const INFO = Symbol('request info');
type Carrier = { [INFO]?: RequestInfo };

/**
 * What the service knows of one request beyond Express's message. Made once: by the page-cache
 * listener, or by the first middleware where the request has come by another HTTP server. From then
 * on it is reached by `infoOf(request)`.
 */
export class RequestInfo {
  /** `performance.now()` */
  readonly startedAt = performance.now();
  readonly id: string;
  /** The caller's; null if it has sent none. */
  readonly trace: TraceContext | null;
  readonly head: RequestHead;
  /** The client, behind trusted proxies, too. */
  readonly client: Client;
  /** Scheme and host of links. */
  readonly origin: string;
  private parsedTarget: Target | null = null;
  private parsedQuery: QueryPairs | null = null;

  /** The matched route; null until Express has matched one. */
  route: Route | null = null;
  /** Name of the reply's format, as `format=` or `Accept` ask for it. */
  format = 'json';
  /** The data revision when the request came; null when the reply may not be cached. */
  revision: string | null = null;
  /** Whether the page cache stores the reply; null until it has been asked. */
  admitted: boolean | null = null;
  /** The UTC date that a relative date was counted from; the reply holds on this day only. */
  relativeTo: string | null = null;
  /** An earlier state of the data is asked for: the reply has to be revalidated. */
  asOf = false;
  /** What a reply that people look at says of the data; null where there is nothing to say. */
  notice: string | null = null;
  /** The fields that the records of a list are to have; null for all. */
  fields: readonly string[] | null = null;
  /** The number of the newest revision that the reply is sure to contain; null if not known. */
  dataRevision: string | null = null;
  /** The request announces a body. */
  readonly hasBody: boolean;
  /** The client waits for `100 Continue` before it sends the body. */
  expectsContinue: boolean;
  /** The body was there when it was asked for, and has been read. */
  bodyTaken = false;
  /** A reply has been chosen; later ones are dropped. */
  private replied = false;
  /** Bytes of the body sent so far. */
  bytesSent = 0;
  /** The same before they were encoded. */
  bytesMade = 0;
  permit: Permit = UNLIMITED;
  /** Null where nobody counts what the reply costs. */
  cost: ReplyCost | null = null;
  /** When it last became work: when it came, or when its body was there. */
  admittedAt: number;
  /** The deadline has replied: what its handler does afterwards no longer matters. */
  cancelled = false;
  private abort: AbortController | null = null;

  /** @param ids gives the request one, unless its client has */
  constructor(
    readonly request: Request,
    readonly response: Response,
    readonly settings: RequestSettings,
    ids: RequestIds,
  ) {
    const { headers, rawHeaders } = request;
    this.id = acceptedRequestId(headers['x-request-id']) ?? ids.next();
    this.trace = readTraceContext(headers);
    this.head = readHead(rawHeaders);
    this.client = clientOf(request);
    this.origin = originOf(request, settings.publicUrl);
    this.admittedAt = this.startedAt;
    this.hasBody = announcesBody(request);
    this.expectsContinue = headers.expect !== undefined;
  }

  /** From now on `infoOf` finds it. */
  attach(): void {
    (this.request as Carrier)[INFO] = this;
    (this.response as Carrier)[INFO] = this;
  }

  /** Path as sent, not decoded. */
  get path(): string {
    return this.target.path;
  }

  get query(): QueryPairs {
    return (this.parsedQuery ??= new QueryPairs(this.target.query));
  }

  /** A target that is too long is rejected before it is parsed. */
  private get target(): Target {
    const { url } = this.request;
    this.parsedTarget ??= splitTarget(url.length > this.settings.targetBytes ? '/' : url);
    return this.parsedTarget;
  }

  /** Whether a reply may still be sent: none has been chosen, and the client is there. */
  get mayReply(): boolean {
    return !this.replied && !this.response.headersSent && !this.isAborted;
  }

  /** Chooses a reply: true for the first caller, while the client is there. */
  claim(): boolean {
    const may = this.mayReply;
    if (may) this.replied = true;
    return may;
  }

  /**
   * Lets an error take the place of a reply that was chosen: that is written in the same turn, so
   * one without headers has failed.
   */
  reopen(): void {
    this.replied = false;
  }

  /** GET or HEAD. */
  get isRead(): boolean {
    return this.request.method === 'GET' || this.request.method === 'HEAD';
  }

  /** When the write that the request asks for must be committed (`performance.now()`). */
  get commitDeadline(): number {
    return this.admittedAt + this.settings.commitMs;
  }

  /** The client has disconnected: nothing that is still to be done for it matters. */
  get isAborted(): boolean {
    return this.response.destroyed || this.request.socket.destroyed;
  }

  /**
   * What observers get to know of it when its response is sent, or its client has left.
   * @param cached the page cache replied
   */
  finished(cached: boolean, aborted: boolean): FinishedRequest {
    const caller = callerOf(this.request);
    return {
      id: this.id,
      traceId: this.trace?.traceId ?? null,
      method: this.request.method,
      route: this.route?.pattern ?? null,
      status: this.response.statusCode,
      milliseconds: performance.now() - this.startedAt,
      bytes: this.bytesSent,
      userId: caller && accountKey(caller),
      network: this.client.loggedNetwork,
      cached,
      aborted,
    };
  }

  /** Drops the work for a read that has its reply: it took too long. */
  cancel(): void {
    void this.signal;
    this.abort!.abort();
    this.cancelled = true;
  }

  /** Aborted when the client disconnects; pass it on to work that can be dropped. */
  get signal(): AbortSignal {
    if (this.abort === null) {
      const abort = new AbortController();
      this.abort = abort;
      if (this.isAborted) abort.abort();
      else this.response.once('close', () => this.response.writableFinished || abort.abort());
    }
    return this.abort.signal;
  }
}

/**
 * Whether a guard or interceptor is called for an HTTP request. Nest calls global ones for messages
 * of WebSocket gateways, too, which have their own.
 */
export const isHttp = (execution: ExecutionContext) => execution.getType() === 'http';

/**
 * What is known of a request, by the request or its response.
 * @throws Error for a request that has come neither through the page-cache listener nor through the
 * middleware of `configureApp`
 */
export function infoOf(message: object): RequestInfo {
  const info = (message as Carrier)[INFO];
  if (info === undefined) throw new Error('The request has no info: is configureApp() missing?');
  return info;
}

const LENGTH = 36;
/** The last two hexadecimal digits of the ids of a batch. */
const ENDS = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'));

/**
 * Generates request ids, which are UUIDs. They come in batches that differ in their last two digits
 * only: a random UUID per request was a quarter of what a reply from the page cache costs beside a
 * bare server. An id is a slice of its batch's string, so retaining one retains 9 KB.
 */
@Injectable()
export class RequestIds {
  private batch = '';
  private at = 0;

  next(): string {
    if (this.at === this.batch.length) this.refill();
    return this.batch.slice(this.at, (this.at += LENGTH));
  }

  private refill(): void {
    const stem = randomUUID().slice(0, -2);
    this.batch = ENDS.map((end) => stem + end).join('');
    this.at = 0;
  }
}

/** Makes what is known of each request. */
@Injectable()
export class RequestInfos {
  private readonly settings: RequestSettings;

  constructor(
    @Inject(HTTP_OPTIONS) options: HttpOptions,
    @Inject(HTTP_LIMITS) limits: HttpLimits,
    private readonly ids: RequestIds,
  ) {
    const { publicUrl, maxPageSize, sourcesPath, clock } = options;
    const { targetBytes, commitMs } = limits;
    this.settings = { publicUrl, targetBytes, maxPageSize, sourcesPath, clock, commitMs };
  }

  /** What is known of a request that has just come. */
  make(request: IncomingMessage, response: ServerResponse): RequestInfo {
    return new RequestInfo(request as Request, response as Response, this.settings, this.ids);
  }

  /**
   * As `infoOf`; made and attached first where the request has come by another HTTP server to the
   * same Express application: no page-cache listener has done it.
   */
  ensure(request: Request, response: Response): RequestInfo {
    if ((request as Carrier)[INFO] === undefined) this.make(request, response).attach();
    return infoOf(request);
  }
}

/** Parameter decorator: the signal that is aborted when the client disconnects. */
export const RequestSignal = createParamDecorator(
  (_: unknown, execution: ExecutionContext) => infoOf(execution.switchToHttp().getRequest<object>()).signal,
);

/** Methods whose bodies are read. */
export const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** Whether a request announces a body. */
function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** Provider token of the `NoticeSource`. */
export const NOTICE_SOURCE = Symbol('NoticeSource');

/**
 * What people have to know of the data wherever they look at them: on pages, in pictures, in the
 * notes of a workbook. Replies for programs do not have it.
 */
export interface NoticeSource {
  /** A sentence about the data as they are; null where there is nothing to say. */
  current(): Promise<string | null>;
}

/** What Node's `headers` object leaves out. */
interface RequestHead {
  /** Bytes of all fields, with their separators. */
  size: number;
  /** How many `Host` fields there are. */
  hosts: number;
}

/** @param raw names and values in turn, as `IncomingMessage.rawHeaders` */
export function readHead(raw: readonly string[]): RequestHead {
  let size = 0;
  let hosts = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    size += name.length + (raw[at + 1] as string).length + 4;
    if (name.length === 4 && (name === 'Host' || name.toLowerCase() === 'host')) hosts++;
  }
  return { size, hosts };
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's `X-Request-Id` where it is harmless. */
function acceptedRequestId(sent: string | string[] | undefined): string | null {
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : null;
}

/** Path and query of a request's target, not decoded. */
export interface Target {
  path: string;
  /** Without the question mark. */
  query: string;
}

/**
 * The target of a request without scheme and host, which those to proxies have: its host takes the
 * place of `Host`, whatever that says (RFC 9112, section 3.2.2).
 */
export function originForm(request: IncomingMessage): string {
  const url = request.url!;
  const absolute = url.startsWith('/') ? null : /^https?:\/\/([^/?#]*)\/?/i.exec(url);
  if (absolute === null) return url;
  request.headers.host = absolute[1];
  return `/${url.slice(absolute[0].length)}`;
}

/** Splits a target in origin form. */
export function splitTarget(target: string): Target {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}
