import type { IncomingMessage } from 'node:http';
import type { Route } from './route-table.js';

/** Provider token of the `Throttle`. */
export const THROTTLE = Symbol('Throttle');

export interface ThrottleResult {
  /** Seconds to wait when the request is refused; null when it may go on. */
  retryAfter: number | null;
  /** `RateLimit` and `RateLimit-Policy`, sent either way. */
  headers: Readonly<Record<string, string>>;
}

/** Counts requests. Asked once for each request to a known address, after 405 and before 406. */
export interface Throttle {
  /** @returns null where no limit applies */
  take(request: IncomingMessage, route: Route, clientAddress: string): ThrottleResult | null;
}
