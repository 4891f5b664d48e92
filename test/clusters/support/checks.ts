import assert from 'node:assert/strict';
import type { MariaDb } from '../../faults/support/mariadb.js';
import type { ClientResults } from './clients.js';

/**
 * Asserts that no client read data older than its acknowledged writes, and that every reply is
 * documented.
 */
export function assertConsistent(results: ClientResults): void {
  assert.deepEqual(results.stale.slice(0, 5), [], `${results.stale.length} stale replies.`);
  assert.deepEqual(
    results.undocumented.slice(0, 5),
    [],
    `${results.undocumented.length} undocumented replies.`,
  );
  assert.ok(results.writes > 0 && results.reads > 0, 'Nothing was written or read.');
}

/** Asserts that no request was rejected. */
export function assertNoneRejected(results: ClientResults): void {
  assert.deepEqual(results.rejected, {});
}

/** Asserts that no read was rejected. */
export function assertReadsServed(results: ClientResults): void {
  assert.deepEqual(
    Object.keys(results.rejected).filter((key) => key.startsWith('read')),
    [],
  );
}

/**
 * Asserts that no acknowledged write is lost: each record has its last acknowledged name or a later
 * one.
 */
export async function assertStored(server: MariaDb, last: ReadonlyMap<number, string>): Promise<void> {
  const rows = await server.query<{ id: number; name: string }>('SELECT id, name FROM commodity', 'prices');
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const count = (name: string | undefined) => Number(name?.split(' ').at(-1));
  const missing = [...last].filter(([id, name]) => !(count(names.get(id)) >= count(name)));
  assert.deepEqual(missing, [], 'Acknowledged writes were lost.');
}
