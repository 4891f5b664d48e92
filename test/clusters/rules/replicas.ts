import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ms, type Rule } from '../../faults/support/rule.js';
import { Service, runCommand } from '../../faults/support/service.js';
import { assertConsistent, assertKept, assertNoneRefused, assertReadsServed } from '../support/checks.js';
import { endInOrder, fill, refusals, startClients, untilWritten } from '../support/clients.js';
import { READS, newRead, readAnew, selectsDuring } from '../support/reading.js';
import { startReplication, untilLike, type Replication } from '../support/replication.js';

/** A service with two workers on a primary with two replicas. */
async function start(): Promise<Replication & { service: Service; commodities: number[] }> {
  const replication = await startReplication(2);
  await runCommand('database/migrate.command.js', [], replication.primary.url);
  const service = await Service.start({
    databaseUrl: replication.primary.url,
    settings: { DATABASE_REPLICA_URLS: replication.replicaUrls, WORKERS: '2' },
  });
  const commodities = await fill(service, 6);
  for (const replica of replication.replicas) await untilLike(replica, replication.primary);
  return { ...replication, service, commodities };
}

export const replicasAreRead: Rule = {
  id: 'C1',
  title:
    'two workers, two replicas: writers read their writes, replicas do the reading, a stopped one is left out',
  needsMariadb: true,
  limit: 180_000,
  async run({ short }) {
    const { primary, replicas, service, commodities } = await start();
    const clients = startClients(service, commodities);
    await sleep(short ? 4000 : 12_000);
    const witnessed = await clients.stop();
    assertConsistent(witnessed);
    assertNoneRefused(witnessed);

    // Without writes everything is read from the replicas; each worker looks at the revisions five times a second.
    const quiet = await selectsDuring([primary, ...replicas], () => readAnew(service));
    assert.ok(quiet[1]! + quiet[2]! >= READS, `The replicas ran ${quiet[1]} and ${quiet[2]} statements.`);
    assert.ok(quiet[1]! > READS / 4 && quiet[2]! > READS / 4, 'The replicas do not share the reading.');

    await replicas[0]!.query('STOP SLAVE');
    const others = startClients(service, commodities);
    await sleep(short ? 2000 : 5000);
    const later = await others.stop();
    assertConsistent(later);
    assertNoneRefused(later);
    const stopped = await selectsDuring(replicas, () => readAnew(service));
    assert.ok(stopped[0]! < READS / 4, `A replica that is behind ran ${stopped[0]} statements.`);
    assert.ok(stopped[1]! >= READS, `The other replica ran ${stopped[1]} statements.`);

    await replicas[0]!.query('START SLAVE');
    await untilLike(replicas[0]!, primary);
    await sleep(500);
    const again = await selectsDuring(replicas, () => readAnew(service));
    assert.ok(again[0]! > READS / 4, `A replica that has caught up ran ${again[0]} statements.`);
    await endInOrder(service, [primary, ...replicas]);
    return {
      writes: witnessed.writes + later.writes,
      'reads after a write': witnessed.reads + later.reads,
      stale: 0,
      'slowest write ms': ms(witnessed.slowestWrite),
      'slowest read ms': ms(witnessed.slowestRead),
    };
  },
};

export const replicaDies: Rule = {
  id: 'C2',
  title: 'a replica is killed, frozen and restarted under load: nobody is refused, and it is used again',
  needsMariadb: true,
  limit: 180_000,
  async run() {
    const { primary, replicas, service, commodities } = await start();
    const clients = startClients(service, commodities, 20);
    await sleep(1000);
    await replicas[0]!.kill();
    await sleep(2000);
    await replicas[0]!.start();
    await untilLike(replicas[0]!, primary);
    replicas[1]!.freeze();
    await sleep(5000);
    replicas[1]!.thaw();
    await sleep(2000);
    const witnessed = await clients.stop();
    assertConsistent(witnessed);
    assertNoneRefused(witnessed);
    for (const replica of replicas) await untilLike(replica, primary);
    // A replica that has failed is tried again every five seconds at the latest.
    await sleep(6500);
    const used = await selectsDuring(replicas, () => readAnew(service));
    assert.ok(
      used[0]! > READS / 4 && used[1]! > READS / 4,
      `The replicas ran ${used.join(' and ')} statements.`,
    );
    // A server that hangs does not hold up the end.
    replicas[1]!.freeze();
    await endInOrder(service, [primary, ...replicas]);
    return {
      writes: witnessed.writes,
      reads: witnessed.reads,
      refused: 0,
      'slowest read ms': ms(witnessed.slowestRead),
    };
  },
};

export const primaryAway: Rule = {
  id: 'C3',
  title:
    'the primary is killed and restarted under load: reads go on from the replicas, writes are refused as documented',
  needsMariadb: true,
  limit: 180_000,
  async run() {
    const { primary, replicas, service, commodities } = await start();
    const clients = startClients(service, commodities, 20);
    await sleep(1000);
    await primary.kill();
    await sleep(500);
    const readers = Array.from({ length: 100 }, () => service.ask(newRead()));
    const served = (await Promise.all(readers)).filter(({ status }) => status === 200).length;
    const ready = await service.ask('/health/ready');
    await sleep(1500);
    await primary.start();
    const recovered = await untilWritten(service, commodities[0]!);
    await sleep(1000);
    const witnessed = await clients.stop();
    assertConsistent(witnessed);
    assertReadsServed(witnessed);
    assert.equal(served, 100, 'Reads were refused while the primary was away.');
    assert.equal(ready.text, '{"status":"degraded"}');
    await assertKept(primary, witnessed.last);
    await endInOrder(service, [primary, ...replicas]);
    return {
      writes: witnessed.writes,
      reads: witnessed.reads,
      refused: refusals(witnessed),
      'recovery ms': ms(recovered),
    };
  },
};
