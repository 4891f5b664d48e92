import assert from 'node:assert/strict';
import type { MariaDb } from '../../faults/support/mariadb.js';
import type { Service } from '../../faults/support/service.js';

/** Reads that tell who does the reading: many more than the looks at revisions meanwhile. */
export const READS = 300;

let asked = 0;

/** A read that no cache can answer: nobody has asked for it before. */
export const newRead = () => `/api/v1/Commodity/?name=nobody${++asked}`;

/** Reads `READS` times what no cache can answer. */
export async function readAnew(service: Service): Promise<void> {
  for (let count = 0; count < READS; count++) {
    const reply = await service.ask(newRead());
    assert.equal(reply.status, 200, reply.text);
  }
}

/** SELECT statements that servers run while something is done. */
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
