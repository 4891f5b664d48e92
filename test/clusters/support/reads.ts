import assert from 'node:assert/strict';
import type { MariaDb } from '../../faults/support/mariadb.js';
import type { Service } from '../../faults/support/service.js';

/**
 * Reads to find out which servers are read from: many more than the polls of the revision
 * meanwhile.
 */
export const READS = 300;

let requested = 0;

/** A path that has not been requested before, so that it is not cached. */
export const uncachedPath = () => `/api/v1/Commodity/?name=nobody${++requested}`;

/** Sends `READS` uncached reads. */
export async function readUncached(service: Service): Promise<void> {
  for (let count = 0; count < READS; count++) {
    const reply = await service.request(uncachedPath());
    assert.equal(reply.status, 200, reply.text);
  }
}

/** Counts the SELECT statements that servers run during `work`. */
export async function selectsDuring(servers: MariaDb[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await Promise.all(servers.map(selectsOf));
  await work();
  const after = await Promise.all(servers.map(selectsOf));
  return after.map((count, index) => count - before[index]!);
}

async function selectsOf(server: MariaDb): Promise<number> {
  const [row] = await server.query<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Com_select'");
  return Number(row!.Value);
}
