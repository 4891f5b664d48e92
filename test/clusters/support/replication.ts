import { setTimeout as sleep } from 'node:timers/promises';
import { MariaDb } from '../../faults/support/mariadb.js';

/** A primary and servers that follow it by row-based replication with global transaction ids. */
export interface Replication {
  primary: MariaDb;
  replicas: MariaDb[];
  /** For `DATABASE_REPLICA_URLS`. */
  replicaUrls: string;
}

export async function startReplication(replicaCount: number): Promise<Replication> {
  const primary = await MariaDb.start(['--server-id=1', '--log-bin=binlog', '--binlog-format=ROW']);
  const replicas: MariaDb[] = [];
  for (let index = 0; index < replicaCount; index++) {
    const replica = await MariaDb.prepare([
      `--server-id=${index + 2}`,
      '--read-only=ON',
      '--slave-net-timeout=5',
      `--report-port=${primary.port + index}`,
    ]);
    await replica.start();
    await replica.query(
      `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${primary.port}, MASTER_USER = 'root', ` +
        'MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1',
    );
    await replica.query('START SLAVE');
    replicas.push(replica);
  }
  return { primary, replicas, replicaUrls: replicas.map(({ url }) => url).join(',') };
}

/** Waits until a server has the revision of another. */
export async function untilLike(server: MariaDb, other: MariaDb, patience = 20_000): Promise<number> {
  const began = performance.now();
  const [wanted] = await revisionOf(other);
  for (;;) {
    const [revision] = await revisionOf(server).catch(() => [-1]);
    if (revision! >= wanted!) return performance.now() - began;
    if (performance.now() - began > patience)
      throw new Error(`Revision ${revision} after ${patience} ms, not ${wanted}.`);
    await sleep(50);
  }
}

async function revisionOf(server: MariaDb): Promise<number[]> {
  const rows = await server.query<{ revision: number }>('SELECT revision FROM data_revision', 'prices');
  return rows.map(({ revision }) => revision);
}
