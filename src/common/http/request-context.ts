import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Violation } from '../errors/api-error.js';
import type { Format } from './reply.js';
import type { Peer } from './peer.js';
import type { QueryPairs } from './query-pairs.js';
import { announcesBody } from './request-head.js';
import type { Route } from './route-table.js';

/** What the service as a whole has set, and parameters and links depend on. */
export interface RequestSettings {
  maxPageSize: number;
  /** Milliseconds since 1970; what "today" is. */
  clock: () => number;
}

/** What is known of a request when it arrives. */
export interface Arrival {
  request: IncomingMessage;
  response: ServerResponse;
  id: string;
  /** `performance.now()` */
  startedAt: number;
  /** Path as sent, not decoded. */
  path: string;
  query: QueryPairs;
  /** Scheme and host that links are made of. */
  origin: string;
  peer: Peer;
  clientAddress: string;
  settings: RequestSettings;
}

const CONTEXT = Symbol('request context');
type Carrier = { [CONTEXT]?: RequestContext };

/** Everything the service knows of one request beyond its message. Reached by `contextOf(request)`. */
export class RequestContext implements Arrival {
  readonly request!: IncomingMessage;
  readonly response!: ServerResponse;
  readonly id!: string;
  readonly startedAt!: number;
  readonly path!: string;
  readonly query!: QueryPairs;
  readonly origin!: string;
  readonly peer!: Peer;
  readonly clientAddress!: string;
  readonly settings!: RequestSettings;

  /** The matched route; null until it is matched, and for good when there is none. */
  route: Route | null = null;
  /** The form of the answer, as `format=` or `Accept` ask for it. */
  format: Format = 'json';
  /** The data revision when the request came; null when the answer may not be kept. */
  revision: string | null = null;
  /** Headers every answer to this request carries, refusals included. */
  readonly replyHeaders: Record<string, string> = {};
  /** Names and values, in turn, of headers of this one answer: they are never kept with it. */
  readonly ownHeaders: string[] = [];
  /** What is wrong with its parameters where it has a body, to be told with the faults of that. */
  violations: readonly Violation[] = [];
  /** The UTC date that a relative date was counted from; the answer holds on this day only. */
  relativeTo: string | null = null;
  /** The request announces a body. */
  readonly hasBody: boolean;
  /** The client waits for `100 Continue` before it sends the body. */
  expectsContinue = false;
  /** Somebody has answered; whoever comes later is not heard. */
  replied = false;
  /** Bytes of the body sent so far. */
  bytesSent = 0;
  /** Called once when the request no longer counts as work: its answer is made, or waits for a slow reader. */
  release: () => void = () => undefined;
  private abort: AbortController | null = null;

  constructor(arrival: Arrival) {
    Object.assign(this, arrival);
    this.hasBody = announcesBody(this.request);
    (this.request as Carrier)[CONTEXT] = this;
    (this.response as Carrier)[CONTEXT] = this;
  }

  /** Takes the right to answer: true for the first who asks, while the client is there. */
  claim(): boolean {
    if (this.replied || this.isAborted) return false;
    this.replied = true;
    return true;
  }

  /** Writes after `claim`. A head that Node refuses leaves the answer open, so that the refusal can be told. */
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

  /** The client is gone: nothing that is still to be done for it matters. */
  get isAborted(): boolean {
    return this.response.destroyed || this.request.socket.destroyed;
  }

  /** Fires when the client has gone; pass it on to work that can be dropped. */
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

/** The context of a request or of its response. */
export function contextOf(message: object): RequestContext {
  const context = (message as Carrier)[CONTEXT];
  if (context === undefined) throw new Error('The request did not come through the front door.');
  return context;
}
