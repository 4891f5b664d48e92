import type { IncomingMessage } from 'node:http';
import type { AccountOfToken } from '../platform/http/request/account-of-token.js';
import { clientNetwork } from '../platform/http/request/client-network.js';
import type { Route } from '../platform/http/routes/route-options.js';
import type { Throttle, ThrottleResult } from '../platform/http/routes/throttle.js';

/** Length of a window in seconds. */
const WINDOW_SECONDS = 60;
/** Clients tracked at the same time, for each kind of request. */
const MAX_KEYS = 50_000;

export interface ThrottleLimits {
  /** Requests per minute and address; 0 is off. */
  reads: number;
  /** Requests per minute and account; 0 is off. */
  writes: number;
  /** Worker processes; each enforces its share of the limits. */
  workers: number;
}

/**
 * Limits reads per address and writes per account, in fixed windows of a minute that start with a
 * client's first request. The counts are held in the process, in bounded memory, by a monotonic
 * clock.
 */
export class RequestThrottle implements Throttle {
  private readonly reads: FixedWindowCounter | null;
  private readonly writes: FixedWindowCounter | null;

  /**
   * @param accountOf returns the account of a token; writes without a valid token are counted by
   * address
   * @param now a monotonic clock in milliseconds
   */
  constructor(
    limits: ThrottleLimits,
    private readonly accountOf: AccountOfToken,
    now: () => number = () => performance.now(),
  ) {
    const counter = (name: string, limit: number) =>
      limit === 0
        ? null
        : new FixedWindowCounter(name, Math.max(1, Math.floor(limit / limits.workers)), limit, now);
    this.reads = counter('read', limits.reads);
    this.writes = counter('write', limits.writes);
  }

  take(request: IncomingMessage, route: Route, clientAddress: string): ThrottleResult | null {
    if (route.throttleGroup === 'read') return this.reads && this.reads.take(clientNetwork(clientAddress));
    if (route.throttleGroup !== 'write' || this.writes === null) return null;
    const account = this.accountOf(request.headers.authorization);
    return this.writes.take(account === null ? clientNetwork(clientAddress) : `account ${account}`);
  }
}

interface Window {
  count: number;
  endsAt: number;
}

/** The counts of one kind of request. */
class FixedWindowCounter {
  private readonly windows = new Map<string, Window>();
  private readonly policy: string;

  /**
   * @param limit the limit of this process
   * @param advertisedLimit the limit of the whole service, as sent in `RateLimit-Policy`
   */
  constructor(
    private readonly name: string,
    private readonly limit: number,
    advertisedLimit: number,
    private readonly now: () => number,
  ) {
    this.policy = `"${name}";q=${advertisedLimit};w=${WINDOW_SECONDS}`;
  }

  take(key: string): ThrottleResult {
    const now = this.now();
    let window = this.windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      // A new window is appended, so the map stays ordered by the end of the windows.
      this.windows.delete(key);
      this.evict(now);
      window = { count: 0, endsAt: now + WINDOW_SECONDS * 1000 };
      this.windows.set(key, window);
    }
    window.count++;
    // Due to rounding, the difference can slightly exceed the length of the window.
    const left = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil((window.endsAt - now) / 1000)));
    return {
      retryAfter: window.count > this.limit ? left : null,
      headers: {
        'RateLimit-Policy': this.policy,
        RateLimit: `"${this.name}";r=${Math.max(0, this.limit - window.count)};t=${left}`,
      },
    };
  }

  /** Removes expired windows, and the oldest ones while there are too many. */
  private evict(now: number): void {
    for (const [key, window] of this.windows) {
      if (window.endsAt > now && this.windows.size < MAX_KEYS) return;
      this.windows.delete(key);
    }
  }
}
