/** Provider token of a list of `RequestObserver`s. */
export const REQUEST_OBSERVERS = Symbol('RequestObservers');

/** What is known of a request when its answer has gone out, or its client. */
export interface FinishedRequest {
  id: string;
  method: string;
  /** Pattern of the route; null when there was none. */
  route: string | null;
  status: number;
  milliseconds: number;
  /** Bytes of the answer's body as sent. */
  bytes: number;
  userId: string | number | null;
  /** Cut to the network: /24 or /48. */
  network: string;
  /** The page cache answered. */
  cached: boolean;
  /** The client went away before the end. */
  aborted: boolean;
}

/** Told of every request; for the log and for metrics. Must not throw, and must not be slow. */
export interface RequestObserver {
  finished(request: FinishedRequest): void;
}
