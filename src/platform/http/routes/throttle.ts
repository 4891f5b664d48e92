import type { IncomingMessage } from 'node:http';
import type { Route } from './route-options.js';

/** Provider token of the `Throttle`. */
export const THROTTLE = Symbol('Throttle');

export interface ThrottleResult {
  /** Seconds to wait; null when the request is within the limit. */
  retryAfter: number | null;
  /** `RateLimit` and `RateLimit-Policy`, sent either way. */
  headers: Readonly<Record<string, string>>;
}

/** Counts requests to existing routes. */
export interface Throttle {
  /** Counts a request. @returns null where no limit applies */
  take(request: IncomingMessage, route: Route, clientAddress: string): ThrottleResult | null;
}
