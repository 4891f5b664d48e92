import type { ServerResponse } from 'node:http';
import { Throttled } from '../../errors/api-error.js';

/** Provider token of the `Throttle`; null where there are no limits. */
export const THROTTLE = Symbol('Throttle');

/** Reads of a network, writes of an account, and writes of a network without a valid token. */
export type ThrottleGroup = 'read' | 'write' | 'unauthenticated';

export interface ThrottleResult {
  /** Seconds to wait; null when the request is within the limit. */
  retryAfter: number | null;
  /** `RateLimit` and `RateLimit-Policy`, sent either way. */
  headers: Readonly<Record<string, string>>;
}

/** Counts requests to existing routes. */
export interface Throttle {
  /** Counts a request within the limit. @returns null where no limit applies */
  take(group: ThrottleGroup, client: string): ThrottleResult | null;
  /** Counts further units of an accepted request, beyond the limit, too. */
  add(group: ThrottleGroup, client: string, units: number): void;
}

/** Bytes of a reply, before compression, that count as much as another request. */
const UNIT_BYTES = 100_000;

/** Milliseconds of processor time that count as much as another request. */
const UNIT_MILLISECONDS = 10;

/**
 * The units that a reply counts beside its request: those of its bytes or of its processor time in
 * milliseconds, whichever is more. A datapoint has more than 100 bytes in every format, so that
 * 1000 of them need not be counted apart.
 */
export function unitsOf(bytes: number, processorTime = 0): number {
  return Math.floor(Math.max(bytes / UNIT_BYTES, processorTime / UNIT_MILLISECONDS));
}

/**
 * Counts a request, and sets the headers of the limit.
 * @throws Throttled
 */
export function applyThrottle(
  throttle: Throttle | null | undefined,
  response: ServerResponse,
  group: ThrottleGroup,
  client: string,
): void {
  const result = throttle?.take(group, client) ?? null;
  if (result === null) return;
  if (result.retryAfter !== null) throw new Throttled(result.retryAfter, result.headers);
  for (const [name, value] of Object.entries(result.headers)) response.setHeader(name, value);
}
