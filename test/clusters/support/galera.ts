import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MariaDb } from '../../faults/support/mariadb.js';
import { freePort } from '../../faults/support/workshop.js';

const provider = [
  '/usr/lib/galera/libgalera_smm.so',
  '/usr/lib64/galera/libgalera_smm.so',
  '/usr/lib64/galera-4/libgalera_smm.so',
].find(existsSync);

/** Whether clusters can be started here. */
export const galeraInstalled = provider !== undefined;

/** Three nodes of a Galera cluster; a node that comes back is brought up to date by the others. */
export class Galera {
  private constructor(readonly nodes: MariaDb[]) {}

  static async start(size = 3): Promise<Galera> {
    const ports = await Promise.all(Array.from({ length: size * 3 }, freePort));
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
          // A node that has died holds up every commit until the others have agreed on it: 5 s by default.
          `--wsrep-provider-options=base_port=${group};gmcast.listen_addr=tcp://127.0.0.1:${group};` +
            `ist.recv_addr=127.0.0.1:${incremental};evs.suspect_timeout=PT3S;evs.inactive_timeout=PT6S;` +
            'evs.inactive_check_period=PT0.5S;evs.keepalive_period=PT0.5S;gcache.size=64M',
          '--wsrep-sst-method=rsync',
          // Whoever brings another up to date stands still meanwhile: not the first, which is written to.
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
    for (const node of nodes) await galera.synced(node);
    return galera;
  }

  /** Waits until a node has everything. @returns milliseconds it took */
  async synced(node: MariaDb, patience = 60_000): Promise<number> {
    const began = performance.now();
    for (;;) {
      const [row] = await node
        .query<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'wsrep_local_state_comment'")
        .catch(() => []);
      if (row?.Value === 'Synced') return performance.now() - began;
      if (performance.now() - began > patience)
        throw new Error(`A node is ${row?.Value ?? 'away'} after ${patience} ms.`);
      await sleep(100);
    }
  }
}
