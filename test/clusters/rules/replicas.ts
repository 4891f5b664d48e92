import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MariaDb } from '../../faults/support/mariadb.js';
import { ms, type Rule } from '../../faults/support/rule.js';
import { Service, runCommand } from '../../faults/support/service.js';
import { assertConsistent, assertNoneRefused, assertReadsServed } from '../support/checks.js';
import { fill, refusals, startClients } from '../support/clients.js';
import { selectsOf, startReplication, untilLike, type Replication } from '../support/replication.js';

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

async function end(service: Service, servers: MariaDb[]): Promise<void> {
  service.signal('SIGTERM');
  assert.equal(await service.end(), 0, `The service did not end in order.${service.tail()}`);
  await Promise.all(servers.map((server) => server.kill()));
}

/** SELECT statements that servers run while something is done. */
async function selectsDuring(servers: MariaDb[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await Promise.all(servers.map(selectsOf));
  await work();
  const after = await Promise.all(servers.map(selectsOf));
  return after.map((count, index) => count - before[index]!);
}

let asked = 0;

/** A read that no cache can answer: nobody has asked for it before. */
const newRead = () => `/api/v1/Commodity/?name=nobody${++asked}`;

async function readAnew(service: Service): Promise<void> {
  for (let count = 0; count < READS; count++) {
    const reply = await service.ask(newRead());
    assert.equal(reply.status, 200, reply.text);
  }
}

const READS = 300;

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
    await end(service, [primary, ...replicas]);
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
    await end(service, [primary, ...replicas]);
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
    await lost(primary, witnessed.last);
    await end(service, [primary, ...replicas]);
    return {
      writes: witnessed.writes,
      reads: witnessed.reads,
      refused: refusals(witnessed),
      'recovery ms': ms(recovered),
    };
  },
};

/** Waits until a write is accepted. @returns milliseconds it took */
export async function untilWritten(service: Service, id: number, patience = 15_000): Promise<number> {
  const began = performance.now();
  for (;;) {
    const reply = await service.write('PATCH', `/api/v1/Commodity/${id}/`, {
      category: `at ${Math.round(began)}`,
    });
    if (reply.status === 200) return performance.now() - began;
    if (performance.now() - began > patience)
      throw new Error(`${reply.status} after ${patience} ms: ${reply.text}`);
    await sleep(50);
  }
}

/** No acknowledged write is missing: each record has its last acknowledged name, or one that came after it. */
export async function lost(server: MariaDb, last: Map<number, string>): Promise<void> {
  const rows = await server.query<{ id: number; name: string }>('SELECT id, name FROM commodity', 'prices');
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const count = (name: string | undefined) => Number(name?.split(' ').at(-1));
  const missing = [...last].filter(([id, name]) => !(count(names.get(id)) >= count(name)));
  assert.deepEqual(missing, [], 'Acknowledged writes were lost.');
}
