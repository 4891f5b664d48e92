import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ms, type Rule } from '../../faults/support/rule.js';
import { Service, runBuiltCommand } from '../../faults/support/service.js';
import { assertConsistent, assertStored, assertNoneRejected, assertReadsServed } from '../support/checks.js';
import {
  stopAll,
  importSeries,
  formatRejections,
  startClients,
  waitUntilWritable,
} from '../support/clients.js';
import { READS, uncachedPath, readUncached, selectsDuring } from '../support/reads.js';
import { startReplication, waitUntilReplicated, type Replication } from '../support/replication.js';

/** Starts a service with two workers on a primary with two replicas. */
async function start(): Promise<Replication & { service: Service; commodities: number[] }> {
  const replication = await startReplication(2);
  await runBuiltCommand('migrate', [], replication.primary.url);
  const service = await Service.start({
    databaseUrl: replication.primary.url,
    settings: { DATABASE_REPLICA_URLS: replication.replicaUrls, WORKERS: '2' },
  });
  const commodities = await importSeries(service, 6);
  for (const replica of replication.replicas) await waitUntilReplicated(replica, replication.primary);
  return { ...replication, service, commodities };
}

export const replicasAreRead: Rule = {
  id: 'C1',
  title:
    'two workers, two replicas: clients read their writes, replicas serve the reads, a stopped one is not used',
  needsMariadb: true,
  timeoutMs: 180_000,
  async run({ short }) {
    const { primary, replicas, service, commodities } = await start();
    const clients = startClients(service, commodities);
    await sleep(short ? 4000 : 12_000);
    const results = await clients.stop();
    assertConsistent(results);
    assertNoneRejected(results);

    // Without writes all reads go to the replicas; each worker polls the revision five times a
    // second.
    const quiet = await selectsDuring([primary, ...replicas], () => readUncached(service));
    assert.ok(quiet[1]! + quiet[2]! >= READS, `The replicas ran ${quiet[1]} and ${quiet[2]} statements.`);
    assert.ok(quiet[1]! > READS / 4 && quiet[2]! > READS / 4, 'The replicas do not share the reads.');

    await replicas[0]!.query('STOP SLAVE');
    const others = startClients(service, commodities);
    await sleep(short ? 2000 : 5000);
    const later = await others.stop();
    assertConsistent(later);
    assertNoneRejected(later);
    const stopped = await selectsDuring(replicas, () => readUncached(service));
    assert.ok(stopped[0]! < READS / 4, `A replica that is behind ran ${stopped[0]} statements.`);
    assert.ok(stopped[1]! >= READS, `The other replica ran ${stopped[1]} statements.`);

    await replicas[0]!.query('START SLAVE');
    await waitUntilReplicated(replicas[0]!, primary);
    await sleep(500);
    const again = await selectsDuring(replicas, () => readUncached(service));
    assert.ok(again[0]! > READS / 4, `A replica that has caught up ran ${again[0]} statements.`);
    await stopAll(service, [primary, ...replicas]);
    return {
      writes: results.writes + later.writes,
      'reads after a write': results.reads + later.reads,
      stale: 0,
      'slowest write ms': ms(results.slowestWrite),
      'slowest read ms': ms(results.slowestRead),
    };
  },
};

export const replicaDies: Rule = {
  id: 'C2',
  title: 'replicas are killed, suspended and restarted under load: no request fails, and they are used again',
  needsMariadb: true,
  timeoutMs: 180_000,
  async run() {
    const { primary, replicas, service, commodities } = await start();
    const clients = startClients(service, commodities, 20);
    await sleep(1000);
    await replicas[0]!.kill();
    await sleep(2000);
    await replicas[0]!.start();
    await waitUntilReplicated(replicas[0]!, primary);
    replicas[1]!.pause();
    await sleep(5000);
    replicas[1]!.resume();
    await sleep(2000);
    const results = await clients.stop();
    assertConsistent(results);
    assertNoneRejected(results);
    for (const replica of replicas) await waitUntilReplicated(replica, primary);
    // A failed replica is retried every five seconds at the latest.
    await sleep(6500);
    const used = await selectsDuring(replicas, () => readUncached(service));
    assert.ok(
      used[0]! > READS / 4 && used[1]! > READS / 4,
      `The replicas ran ${used.join(' and ')} statements.`,
    );
    // A hanging server does not delay the shutdown.
    replicas[1]!.pause();
    await stopAll(service, [primary, ...replicas]);
    return {
      writes: results.writes,
      reads: results.reads,
      rejected: 0,
      'slowest read ms': ms(results.slowestRead),
    };
  },
};

export const primaryDown: Rule = {
  id: 'C3',
  title:
    'the primary is killed and restarted under load: replicas serve the reads, writes are rejected as documented',
  needsMariadb: true,
  timeoutMs: 180_000,
  async run() {
    const { primary, replicas, service, commodities } = await start();
    const clients = startClients(service, commodities, 20);
    await sleep(1000);
    await primary.kill();
    await sleep(500);
    const readers = Array.from({ length: 100 }, () => service.request(uncachedPath()));
    const served = (await Promise.all(readers)).filter(({ status }) => status === 200).length;
    const ready = await service.request('/health/ready');
    await sleep(1500);
    await primary.start();
    const recovered = await waitUntilWritable(service, commodities[0]!);
    await sleep(1000);
    const results = await clients.stop();
    assertConsistent(results);
    assertReadsServed(results);
    assert.equal(served, 100, 'Reads were rejected while the primary was down.');
    assert.equal(ready.text, '{"status":"degraded"}');
    await assertStored(primary, results.last);
    await stopAll(service, [primary, ...replicas]);
    return {
      writes: results.writes,
      reads: results.reads,
      rejected: formatRejections(results),
      'recovery ms': ms(recovered),
    };
  },
};
