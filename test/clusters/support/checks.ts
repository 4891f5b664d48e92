import assert from 'node:assert/strict';
import type { MariaDb } from '../../faults/support/mariadb.js';
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

/** No acknowledged write is missing: each record has its last acknowledged name, or one that came after it. */
export async function assertKept(server: MariaDb, last: ReadonlyMap<number, string>): Promise<void> {
  const rows = await server.query<{ id: number; name: string }>('SELECT id, name FROM commodity', 'prices');
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const count = (name: string | undefined) => Number(name?.split(' ').at(-1));
  const missing = [...last].filter(([id, name]) => !(count(names.get(id)) >= count(name)));
  assert.deepEqual(missing, [], 'Acknowledged writes were lost.');
}
