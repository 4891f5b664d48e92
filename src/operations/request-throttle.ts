import type { Throttle, ThrottleGroup, ThrottleResult } from '../platform/http/overload/throttle.js';

/** Length of a window in seconds. */
const WINDOW_SECONDS = 60;
/** Clients tracked at the same time, for each kind of request. */
const MAX_KEYS = 50_000;

/** Units per minute of one client; 0 is off. A request is a unit, a long reply further ones. */
export type ThrottleLimits = Readonly<Record<ThrottleGroup, number>>;

/**
 * Limits requests in fixed windows of a minute that start with a client's first request. The counts
 * are held in the process, in bounded memory, by a monotonic clock.
 */
export class RequestThrottle implements Throttle {
  private readonly counters: ReadonlyMap<string, FixedWindowCounter>;

  /**
   * @param workers worker processes; each enforces its share of the limits
   * @param now a monotonic clock in milliseconds
   */
  constructor(limits: ThrottleLimits, workers: number, now: () => number = () => performance.now()) {
    this.counters = new Map(
      Object.entries(limits)
        .filter(([, limit]) => limit > 0)
        .map(([name, limit]) => [
          name,
          new FixedWindowCounter(name, Math.max(1, Math.floor(limit / workers)), limit, now),
        ]),
    );
  }

  take(group: ThrottleGroup, client: string): ThrottleResult | null {
    return this.counters.get(group)?.take(client) ?? null;
  }

  add(group: ThrottleGroup, client: string, units: number): void {
    this.counters.get(group)?.add(client, units);
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
    const window = this.windowOf(key, now);
    // What is rejected is not counted: the page cache hands it on to Express, which asks again.
    const rejected = window.count >= this.limit;
    if (!rejected) window.count++;
    // Due to rounding, the difference can slightly exceed the length of the window.
    const left = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil((window.endsAt - now) / 1000)));
    return {
      retryAfter: rejected ? left : null,
      headers: {
        'RateLimit-Policy': this.policy,
        RateLimit: `"${this.name}";r=${Math.max(0, this.limit - window.count)};t=${left}`,
      },
    };
  }

  /** Counts more of a request that has been accepted, beyond the limit, too. */
  add(key: string, units: number): void {
    this.windowOf(key, this.now()).count += units;
  }

  private windowOf(key: string, now: number): Window {
    let window = this.windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      // A new window is appended, so the map stays ordered by the end of the windows.
      this.windows.delete(key);
      this.evict(now);
      window = { count: 0, endsAt: now + WINDOW_SECONDS * 1000 };
      this.windows.set(key, window);
    }
    return window;
  }

  /** Removes expired windows, and the oldest ones while there are too many. */
  private evict(now: number): void {
    for (const [key, window] of this.windows) {
      if (window.endsAt > now && this.windows.size < MAX_KEYS) return;
      this.windows.delete(key);
    }
  }
}
