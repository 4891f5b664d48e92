import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ms, type Rule } from '../../faults/support/rule.js';
import { Service, runBuiltCommand } from '../../faults/support/service.js';
import { assertConsistent, assertStored, assertReadsServed } from '../support/checks.js';
import {
  stopAll,
  importSeries,
  formatRejections,
  startClients,
  waitUntilWritable,
} from '../support/clients.js';
import { Galera, galeraInstalled } from '../support/galera.js';
import { READS, uncachedPath, readUncached, selectsDuring } from '../support/reads.js';

/** What every rule about a cluster needs. */
export const needed = {
  needsMariadb: true,
  ...(galeraInstalled ? {} : { skipReason: 'Galera is not installed.' }),
  timeoutMs: 300_000,
} satisfies Partial<Rule>;

/**
 * Starts a service with two workers that writes to the first healthy node and reads from the
 * others.
 */
async function start() {
  const galera = await Galera.start();
  const { nodes } = galera;
  await runBuiltCommand('migrate', [], nodes[0]!.url);
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const service = await Service.start({
    databaseUrl: `mariadb://root@${hosts}/prices`,
    settings: { DATABASE_REPLICA_URLS: `${nodes[1]!.url},${nodes[2]!.url}`, WORKERS: '2' },
  });
  return { galera, nodes, service, commodities: await importSeries(service, 6) };
}

/** The writes of each node: the write sets that it has replicated to the others. */
async function writesOf(galera: Galera): Promise<number[]> {
  const rows = await Promise.all(
    galera.nodes.map((node) => node.query<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'wsrep_replicated'")),
  );
  return rows.map(([row]) => Number(row!.Value));
}

export const readNodeDies: Rule = {
  id: 'C4',
  title: 'Galera: writes to one node, reads from the others, one of which is killed under load and rejoins',
  ...needed,
  async run({ short }) {
    const { galera, nodes, service, commodities } = await start();
    const clients = startClients(service, commodities, 20);
    await sleep(short ? 2000 : 6000);
    await nodes[2]!.kill();
    await sleep(8000);
    await nodes[2]!.start();
    const rejoined = await galera.waitUntilSynced(nodes[2]!);
    await sleep(2000);
    const results = await clients.stop();
    assertConsistent(results);
    assertReadsServed(results);
    await assertStored(nodes[2]!, results.last);
    const written = await writesOf(galera);
    assert.ok(
      written[0]! >= results.writes && written[2] === 0,
      `${results.writes} writes; the nodes were written to ${written.join(', ')} times.`,
    );
    await sleep(6500);
    const used = await selectsDuring(nodes, () => readUncached(service));
    assert.ok(used[1]! > READS / 4 && used[2]! > READS / 4, `The nodes ran ${used.join(', ')} statements.`);
    await stopAll(service, nodes);
    return {
      writes: results.writes,
      reads: results.reads,
      rejected: formatRejections(results),
      'slowest write ms': ms(results.slowestWrite),
      'slowest read ms': ms(results.slowestRead),
      'rejoined ms': ms(rejoined),
    };
  },
};

export const writeNodeDies: Rule = {
  id: 'C5',
  title: 'Galera: the write node is killed under load: writes move to the next one and return later',
  ...needed,
  async run() {
    const { galera, nodes, service, commodities } = await start();
    const clients = startClients(service, commodities, 20);
    await sleep(1000);
    await nodes[0]!.kill();
    const moved = await waitUntilWritable(service, commodities[0]!);
    const reads = await Promise.all(Array.from({ length: 100 }, () => service.request(uncachedPath())));
    assert.deepEqual(new Set(reads.map(({ status }) => status)), new Set([200]));
    await sleep(2000);
    await nodes[0]!.start();
    await galera.waitUntilSynced(nodes[0]!);
    // It must be healthy for five seconds before writes return to it.
    await sleep(10_000);
    const before = await writesOf(galera);
    await sleep(1000);
    const after = await writesOf(galera);
    const results = await clients.stop();
    assertConsistent(results);
    const share = after.map((count, index) => count - before[index]!);
    assert.ok(
      share[0]! > 0 && share[1] === 0,
      `In the end the nodes were written to ${share.join(', ')} times.`,
    );
    for (const node of nodes) await assertStored(node, results.last);
    await stopAll(service, nodes);
    return {
      writes: results.writes,
      reads: results.reads,
      rejected: formatRejections(results),
      'writing again after ms': ms(moved),
    };
  },
};

export const twoWriters: Rule = {
  id: 'C6',
  title: 'W13, Galera: two services write to two nodes: conflicts at COMMIT are retried, nothing is lost',
  ...needed,
  async run({ short }) {
    const galera = await Galera.start();
    const { nodes } = galera;
    await runBuiltCommand('migrate', [], nodes[0]!.url);
    const services = [
      await Service.start({ databaseUrl: nodes[0]!.url }),
      await Service.start({ databaseUrl: nodes[1]!.url }),
    ];
    // A login is a write as well, and may be rejected once there are conflicts.
    for (const service of services) await service.login();
    const acknowledged: string[] = [];
    const statuses: Record<string, number> = {};
    let going = true;
    const writers = services.flatMap((service, index) =>
      [1, 2].map(async (writer) => {
        for (let count = 0; going; count++) {
          const name = `Node ${index} writer ${writer} ${count}`;
          const reply = await service.write('POST', '/api/v1/Commodity/', { name });
          statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
          if (reply.status === 201) acknowledged.push(name);
        }
      }),
    );
    await sleep(short ? 4000 : 10_000);
    going = false;
    await Promise.all(writers);
    const failures = await Promise.all(
      nodes.map((node) =>
        node.query<{ Value: string }>(
          "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_local_cert_failures', 'wsrep_local_bf_aborts')",
        ),
      ),
    );
    const conflicts = failures.flat().reduce((sum, { Value }) => sum + Number(Value), 0);
    assert.deepEqual(
      Object.keys(statuses).filter((status) => !['201', '503'].includes(status)),
      [],
    );
    assert.ok(conflicts > 0, 'There was no conflict.');
    for (const node of nodes) {
      const rows = await node.query<{ name: string }>(
        "SELECT name FROM commodity WHERE name LIKE 'Node %'",
        'prices',
      );
      const stored = new Set(rows.map(({ name }) => name));
      assert.deepEqual(
        acknowledged.filter((name) => !stored.has(name)),
        [],
      );
      assert.equal(stored.size, acknowledged.length, 'A rejected write was stored.');
    }
    for (const service of services) await stopAll(service);
    await Promise.all(nodes.map((node) => node.kill()));
    return { stored: acknowledged.length, rejected: statuses['503'] ?? 0, conflicts };
  },
};
