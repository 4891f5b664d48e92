import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MariaDb } from '../../faults/support/mariadb.js';
import { findFreePort } from '../../faults/support/resources.js';

const provider = [
  '/usr/lib/galera/libgalera_smm.so',
  '/usr/lib64/galera/libgalera_smm.so',
  '/usr/lib64/galera-4/libgalera_smm.so',
].find(existsSync);

/** Whether Galera is installed. */
export const galeraInstalled = provider !== undefined;

/** A Galera cluster, of three nodes by default. */
export class Galera {
  private constructor(readonly nodes: MariaDb[]) {}

  static async start(size = 3): Promise<Galera> {
    const ports = await Promise.all(Array.from({ length: size * 3 }, findFreePort));
    const address = `gcomm://${Array.from({ length: size }, (_, index) => `127.0.0.1:${ports[index * 3]}`).join(',')}`;
    const nodes: MariaDb[] = [];
    for (let index = 0; index < size; index++) {
      const [group, incremental, whole] = ports.slice(index * 3, index * 3 + 3);
      const node = await MariaDb.prepare(
        [
          '--binlog-format=ROW',
          '--default-storage-engine=InnoDB',
          '--innodb-autoinc-lock-mode=2',
          '--wsrep-on=ON',
          `--wsrep-provider=${provider}`,
          '--wsrep-cluster-name=prices',
          `--wsrep-cluster-address=${address}`,
          `--wsrep-node-name=node${index + 1}`,
          '--wsrep-node-address=127.0.0.1',
          // A dead node blocks every commit until the others have evicted it: 5 s by default.
          `--wsrep-provider-options=base_port=${group};gmcast.listen_addr=tcp://127.0.0.1:${group};` +
            `ist.recv_addr=127.0.0.1:${incremental};evs.suspect_timeout=PT3S;evs.inactive_timeout=PT6S;` +
            'evs.inactive_check_period=PT0.5S;evs.keepalive_period=PT0.5S;gcache.size=64M',
          '--wsrep-sst-method=rsync',
          // A donor is blocked during the state transfer, so it must not be the first node, which
          // is written to.
          '--wsrep-sst-donor=node3,node2,',
          `--wsrep-sst-receive-address=127.0.0.1:${whole}`,
        ],
        'mysql',
      );
      await node.start(index === 0 ? ['--wsrep-new-cluster'] : []);
      nodes.push(node);
    }
    await nodes[0]!.query('CREATE DATABASE prices CHARACTER SET utf8mb4');
    const galera = new Galera(nodes);
    for (const node of nodes) await galera.waitUntilSynced(node);
    return galera;
  }

  /**
   * Waits until a node is in sync with the cluster.
   * @returns the milliseconds it took
   */
  async waitUntilSynced(node: MariaDb, timeoutMs = 60_000): Promise<number> {
    const began = performance.now();
    for (;;) {
      const [row] = await node
        .query<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'wsrep_local_state_comment'")
        .catch(() => []);
      if (row?.Value === 'Synced') return performance.now() - began;
      if (performance.now() - began > timeoutMs)
        throw new Error(`A node is ${row?.Value ?? 'unreachable'} after ${timeoutMs} ms.`);
      await sleep(100);
    }
  }
}
