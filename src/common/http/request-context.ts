import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Format } from './answer.js';
import type { QueryPairs } from './query-pairs.js';
import type { Route } from './route-table.js';

/** What the service as a whole has set, and parameters and links depend on. */
export interface RequestSettings {
  maxPageSize: number;
  /** Milliseconds since 1970; what "today" is. */
  clock: () => number;
}

const CONTEXT = Symbol('request context');
type Carrier = { [CONTEXT]?: RequestContext };

/** Everything the service knows of one request beyond its message. Reached by `contextOf(request)`. */
export class RequestContext {
  /** The matched route; null until it is matched, and for good when there is none. */
  route: Route | null = null;
  /** Parameters of the path, decoded. */
  params: Record<string, string> = {};
  format: Format = 'json';
  /** The data revision when the request came; null when unknown. */
  revision: string | null = null;
  /** Set by the guard; for the log. */
  userId: string | number | null = null;
  /** Headers every answer to this request carries, refusals included. */
  readonly answerHeaders: Record<string, string> = {};
  /** Names of ignored parameters; told to the caller. */
  /** The UTC date that a relative date was resolved with; the answer holds on this day only. */
  relativeTo: string | null = null;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly id: string,
    readonly startedAt: number,
    /** Path as sent, not decoded. */
    readonly path: string,
    readonly query: QueryPairs,
    readonly origin: string,
    readonly clientAddress: string,
    readonly settings: RequestSettings,
  ) {
    (request as Carrier)[CONTEXT] = this;
    (response as Carrier)[CONTEXT] = this;
  }

  private abort: AbortController | null = null;

  /** Fires when the client has gone; pass it on to work that can be dropped. */
  get gone(): AbortSignal {
    if (this.abort === null) {
      const abort = new AbortController();
      this.abort = abort;
      if (this.response.destroyed) abort.abort();
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
