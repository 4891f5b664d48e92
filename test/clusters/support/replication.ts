import { setTimeout as sleep } from 'node:timers/promises';
import { MariaDb } from '../../faults/support/mariadb.js';

/** A primary and its replicas, with row-based GTID replication. */
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

/** Waits until a server has reached the revision of another. */
export async function waitUntilReplicated(
  server: MariaDb,
  other: MariaDb,
  timeoutMs = 20_000,
): Promise<number> {
  const began = performance.now();
  const [wanted] = await revisionOf(other);
  for (;;) {
    const [revision] = await revisionOf(server).catch(() => [-1]);
    if (revision! >= wanted!) return performance.now() - began;
    if (performance.now() - began > timeoutMs)
      throw new Error(`Revision ${revision} instead of ${wanted} after ${timeoutMs} ms.`);
    await sleep(50);
  }
}

async function revisionOf(server: MariaDb): Promise<number[]> {
  const rows = await server.query<{ revision: number }>('SELECT revision FROM data_revision', 'prices');
  return rows.map(({ revision }) => revision);
}
