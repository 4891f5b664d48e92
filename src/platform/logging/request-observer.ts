import { Inject, Injectable, Optional } from '@nestjs/common';
import { ServiceLog } from './service-log.js';

/** Provider token of a list of `RequestObserver`s. */
export const REQUEST_OBSERVERS = Symbol('RequestObservers');

/** What is known of a request when its response has been sent, or its client has left. */
export interface FinishedRequest {
  id: string;
  /** Of the caller's trace; null if it has sent none. */
  traceId: string | null;
  method: string;
  /** Pattern of the route; null when there was none. */
  route: string | null;
  status: number;
  milliseconds: number;
  /** Bytes of the response's body as sent. */
  bytes: number;
  userId: string | number | null;
  /** Truncated to the network: /24 or /48. */
  network: string;
  /** The page cache replied. */
  cached: boolean;
  /** The client disconnected before the end. */
  aborted: boolean;
}

/** Called for every request; for the log and for metrics. Must not throw, and must not be slow. */
export interface RequestObserver {
  finished(request: FinishedRequest): void;
}

/** The request log and the observers that modules provide. */
@Injectable()
export class RequestObservers implements RequestObserver {
  private readonly observers: readonly RequestObserver[];

  constructor(log: ServiceLog, @Optional() @Inject(REQUEST_OBSERVERS) observers?: RequestObserver[]) {
    this.observers = [log, ...(observers ?? [])];
  }

  finished(request: FinishedRequest): void {
    for (const observer of this.observers) observer.finished(request);
  }
}
