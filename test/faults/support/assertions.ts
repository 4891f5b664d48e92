import assert from 'node:assert/strict';
import type { HttpReply, LoadReport } from './http.js';
import { jsonBody } from './http.js';
import { TimeLimitError, type RunMode } from './rule.js';

/** Asserts an error response with problem details. */
export function assertProblem(reply: HttpReply, status: number, code: string): void {
  assert.equal(reply.status, status, `${reply.status} ${reply.error ?? ''} ${reply.text}`);
  assert.match(String(reply.headers['content-type']), /^application\/problem\+json/);
  const body = jsonBody<{ status: number; code: string; instance: string }>(reply);
  assert.equal(body.code, code);
  assert.equal(body.status, status);
  assert.match(body.instance, /^urn:uuid:/);
  if (status === 503) assert.match(String(reply.headers['retry-after']), /^[1-9]\d*$/);
}

/**
 * Factor by which durations may be exceeded in a short run. Short runs are for every build, on
 * shared machines: they check responses, and distinguish slow from hanging.
 */
const SHORT_RUN_FACTOR = 6;

/** @param limit the maximum in milliseconds on an idle machine; more is allowed in a short run */
export function assertDuration({ short }: RunMode, milliseconds: number, limit: number, what: string): void {
  assertWithin(milliseconds, short ? SHORT_RUN_FACTOR * limit : limit, what);
}

/** As `assertDuration`, for limits that also hold in a short run, such as those of timeouts. */
export function assertWithin(milliseconds: number, limit: number, what: string): void {
  // Also if it is not a number: nothing was measured then, which no repeat excuses.
  assert.ok(!Number.isNaN(milliseconds), `${what} was not measured.`);
  if (milliseconds > limit)
    throw new TimeLimitError(`${what} took ${Math.round(milliseconds)} ms instead of at most ${limit} ms.`);
}

/** Asserts that a load got only these statuses and no truncated responses. */
export function assertStatuses(result: LoadReport, statuses: number[]): void {
  const others = Object.keys(result.statuses).filter((status) => !statuses.includes(Number(status)));
  assert.deepEqual(others, [], `${JSON.stringify(result.statuses)} ${result.failures.join(' ')}`);
  assert.equal(result.truncated, 0, 'Responses were truncated.');
}

/** Statuses and their counts in one line, for the table. */
export function formatStatuses(result: LoadReport): string {
  return Object.entries(result.statuses)
    .map(([status, count]) => `${status}×${count}`)
    .join(' ');
}
