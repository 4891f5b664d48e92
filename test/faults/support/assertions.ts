import assert from 'node:assert/strict';
import type { Reply, Seen } from './http.js';
import { json } from './http.js';
import type { RunMode } from './rule.js';

/** A refusal in the form that every refusal has. */
export function assertProblem(reply: Reply, status: number, code: string): void {
  assert.equal(reply.status, status, `${reply.status} ${reply.error ?? ''} ${reply.text}`);
  assert.match(String(reply.headers['content-type']), /^application\/problem\+json/);
  const body = json<{ status: number; code: string; instance: string }>(reply);
  assert.equal(body.code, code);
  assert.equal(body.status, status);
  assert.match(body.instance, /^urn:uuid:/);
  if (status === 503) assert.match(String(reply.headers['retry-after']), /^[1-9]\d*$/);
}

/**
 * How much longer things may take in a short run. It is for every build, on machines that others use at the same time: it proves
 * what is answered, and tells work from a hang.
 */
const SHORT_RUN = 6;

/** It took no longer than allowed. @param milliseconds what it took; `limit` is what a quiet machine is given */
export function assertWithin({ short }: RunMode, milliseconds: number, limit: number, what: string): void {
  const allowed = short ? SHORT_RUN * limit : limit;
  assert.ok(milliseconds <= allowed, `${what} took ${Math.round(milliseconds)} ms, not ${allowed}.`);
}

/** Whatever happened, the load saw only these statuses, and no answer that was cut off. */
export function assertOnly(seen: Seen, statuses: number[]): void {
  const others = Object.keys(seen.statuses).filter((status) => !statuses.includes(Number(status)));
  assert.deepEqual(others, [], `${JSON.stringify(seen.statuses)} ${seen.failures.join(' ')}`);
  assert.equal(seen.cut, 0, 'Answers were cut off.');
}

/** Statuses and their counts in one word, for the table. */
export function counts(seen: Seen): string {
  return Object.entries(seen.statuses)
    .map(([status, count]) => `${status}×${count}`)
    .join(' ');
}
