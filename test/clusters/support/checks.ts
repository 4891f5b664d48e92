import assert from 'node:assert/strict';
import type { Witnessed } from './clients.js';

/** Nobody saw anything older than what they had been told is stored, and every answer was one that is documented. */
export function assertConsistent(witnessed: Witnessed): void {
  assert.deepEqual(witnessed.stale.slice(0, 5), [], `${witnessed.stale.length} stale answers.`);
  assert.deepEqual(
    witnessed.undocumented.slice(0, 5),
    [],
    `${witnessed.undocumented.length} undocumented answers.`,
  );
  assert.ok(witnessed.writes > 0 && witnessed.reads > 0, 'Nothing was written or read.');
}

/** Nobody was refused. */
export function assertNoneRefused(witnessed: Witnessed): void {
  assert.deepEqual(witnessed.refused, {});
}

/** Nobody was refused a read. */
export function assertReadsServed(witnessed: Witnessed): void {
  assert.deepEqual(
    Object.keys(witnessed.refused).filter((key) => key.startsWith('read')),
    [],
  );
}
