import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import type { TraceContext } from '../../logging/trace-context.js';
import type { QueryPairs } from '../../validation/query-pairs.js';
import type { Route } from '../routes/route-options.js';

/** Settings that parameters and links depend on. */
export interface RequestSettings {
  maxPageSize: number;
  /** Milliseconds since 1970; what "today" is. */
  clock: () => number;
  /** Path at which the sources of the data are listed. */
  sources: string;
  /** Milliseconds until a write must be committed. */
  commitMs: number;
}

/** What is known of a request when it arrives. */
export interface Arrival {
  request: Request;
  response: Response;
  id: string;
  /** The caller's; null if it has sent none. */
  trace: TraceContext | null;
  /** `performance.now()` */
  startedAt: number;
  /** Path as sent, not decoded. */
  path: string;
  query: QueryPairs;
  /** Scheme and host of links. */
  origin: string;
  /** Address of the client, behind trusted proxies, too. */
  clientAddress: string;
  /** What the log may keep of the address. */
  clientNetwork: string;
  settings: RequestSettings;
}

/** The turns in which a reply with many items is made. */
export interface ReplyTurns {
  /** Ends the turn; `resume` waits for another. */
  pause(): void;
  /** Waits for the next turn. @throws AbortError when the client leaves */
  resume(): Promise<void>;
  /** Lets others have a turn if this one has taken long. */
  share(): Promise<void>;
}

/** Counts what a reply costs. */
export interface ReplyCost {
  /** It is being made from now on. */
  work(): void;
  /** It waits, or has been made. */
  rest(): void;
  /** Counts what has been made so far. */
  book(): void;
}

const CONTEXT = Symbol('request context');
type Carrier = { [CONTEXT]?: RequestContext };

/**
 * What the service knows of one request beyond Express's message. Reached by `contextOf(request)`.
 */
export class RequestContext implements Arrival {
  readonly request!: Request;
  readonly response!: Response;
  readonly id!: string;
  readonly trace!: TraceContext | null;
  readonly startedAt!: number;
  readonly path!: string;
  readonly query!: QueryPairs;
  readonly origin!: string;
  readonly clientAddress!: string;
  readonly clientNetwork!: string;
  readonly settings!: RequestSettings;

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
  /** What a reply that people look at says of the data; null where there is nothing to say. */
  notice: string | null = null;
  /** An earlier state of the data is asked for: the reply has to be revalidated. */
  asOf = false;
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
  replied = false;
  /** It waits for something to happen: no deadline applies. */
  waiting = false;
  /** Bytes of the body sent so far. */
  bytesSent = 0;
  /** The same before they were encoded. */
  bytesMade = 0;
  /**
   * Called once when the request no longer counts as work: its reply is ready, or waits for a slow
   * reader.
   */
  release: () => void = () => undefined;
  /**
   * Makes the request count as work, and waits for its turn. Called once its body is there.
   * @param afterWait its deadline begins now
   * @throws Unavailable when there is too much to do
   */
  admit: (afterWait: boolean) => Promise<true> = () => Promise.resolve(true);
  /** Null where nobody counts what the reply costs. */
  cost: ReplyCost | null = null;
  /** Null for a reply with few items. */
  turns: ReplyTurns | null = null;
  /**
   * Waits until a reply of so many rows or points may be made. A handler that makes long replies
   * calls it before the work begins.
   * @throws Unavailable when there are too many such replies
   */
  expectItems: (items: number) => Promise<void> = () => Promise.resolve();
  /** When it last became work: when it came, or when its body was there. */
  admittedAt: number;
  /** The deadline has replied: what its handler does afterwards no longer matters. */
  cancelled = false;
  private abort: AbortController | null = null;

  constructor(arrival: Arrival) {
    Object.assign(this, arrival);
    this.admittedAt = this.startedAt;
    this.hasBody = announcesBody(this.request);
    this.expectsContinue = this.request.headers.expect !== undefined;
    (this.request as Carrier)[CONTEXT] = this;
    (this.response as Carrier)[CONTEXT] = this;
  }

  /** Claims the right to reply: true for the first caller, while the client is there. */
  claim(): boolean {
    if (this.replied || this.response.headersSent || this.isAborted) return false;
    this.replied = true;
    return true;
  }

  /**
   * Writes after `claim`. Headers that Node rejects leave the reply open, so that the error can be
   * sent.
   */
  attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.replied = this.response.headersSent;
      throw error;
    }
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
 * The context of a request or of its response.
 * @throws Error for a request that has not passed through the application's middleware
 */
export function contextOf(message: object): RequestContext {
  const context = (message as Carrier)[CONTEXT];
  if (context === undefined) throw new Error('The request has no context: is configureApp() missing?');
  return context;
}

/** Parameter decorator: the signal that is aborted when the client disconnects. */
export const RequestSignal = createParamDecorator(
  (_: unknown, execution: ExecutionContext) =>
    contextOf(execution.switchToHttp().getRequest<object>()).signal,
);

/** Methods whose bodies are read. */
export const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** Whether a request announces a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}
