import type { IncomingMessage } from 'node:http';
import type { AccountOfToken } from '../common/access/account-of-token.js';
import { clientNetwork } from '../common/http/client-network.js';
import type { Route } from '../common/http/route-table.js';
import type { Throttle, ThrottleResult } from '../common/http/throttle.js';

/** Seconds over which requests are counted. */
const WINDOW = 60;
/** Callers that are remembered at the same time, for each kind of request. */
const MOST_KEYS = 50_000;

export interface ThrottleLimits {
  /** Requests a minute for one address; 0 is off. */
  reads: number;
  /** Requests a minute for one account; 0 is off. */
  writes: number;
  /** Processes that share the work: each counts its share. */
  workers: number;
}

/**
 * Counts reads by address and writes by account, in windows of a minute that begin with a caller's first request. The counts are
 * kept in the process, in bounded memory, by a clock that does not step.
 */
export class RequestThrottle implements Throttle {
  private readonly reads: Windows | null;
  private readonly writes: Windows | null;

  /**
   * @param accountOf who a token belongs to; writes without a good token are counted by address
   * @param now milliseconds of a clock that never steps
   */
  constructor(
    limits: ThrottleLimits,
    private readonly accountOf: AccountOfToken,
    now: () => number = () => performance.now(),
  ) {
    const windows = (name: string, limit: number) =>
      limit === 0 ? null : new Windows(name, Math.max(1, Math.floor(limit / limits.workers)), limit, now);
    this.reads = windows('read', limits.reads);
    this.writes = windows('write', limits.writes);
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

/** One kind of request and its counts. */
class Windows {
  private readonly windows = new Map<string, Window>();
  private readonly policy: string;

  /**
   * @param limit what this process lets through
   * @param told what callers are told: the limit of the whole service
   */
  constructor(
    private readonly name: string,
    private readonly limit: number,
    told: number,
    private readonly now: () => number,
  ) {
    this.policy = `"${name}";q=${told};w=${WINDOW}`;
  }

  take(key: string): ThrottleResult {
    const now = this.now();
    let window = this.windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      // A new window goes to the end, so the map stays in the order in which windows end.
      this.windows.delete(key);
      this.makeRoom(now);
      window = { count: 0, endsAt: now + WINDOW * 1000 };
      this.windows.set(key, window);
    }
    window.count++;
    // The difference of two readings of the clock can be a hair more than what was added.
    const left = Math.min(WINDOW, Math.max(1, Math.ceil((window.endsAt - now) / 1000)));
    return {
      retryAfter: window.count > this.limit ? left : null,
      headers: {
        'RateLimit-Policy': this.policy,
        RateLimit: `"${this.name}";r=${Math.max(0, this.limit - window.count)};t=${left}`,
      },
    };
  }

  /** The oldest windows go first: those that are over, and one more when there are too many that are not. */
  private makeRoom(now: number): void {
    for (const [key, window] of this.windows) {
      if (window.endsAt > now && this.windows.size < MOST_KEYS) return;
      this.windows.delete(key);
    }
  }
}
