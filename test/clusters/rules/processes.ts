import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync, readdirSync } from 'node:fs';
import { MariaDb } from '../../faults/support/mariadb.js';
import { ms, type Rule } from '../../faults/support/rule.js';
import { Service, runCommand } from '../../faults/support/service.js';
import { hammer, type Observed } from '../support/batches.js';
import { assertConsistent } from '../support/checks.js';
import { endInOrder, fill, refusals, startClients } from '../support/clients.js';

function assertObserved(observed: Observed): void {
  assert.deepEqual(observed.mixed.slice(0, 3), [], `${observed.mixed.length} mixed answers.`);
  assert.deepEqual(observed.stale.slice(0, 3), [], `${observed.stale.length} stale answers.`);
  assert.deepEqual(
    observed.undocumented.slice(0, 3),
    [],
    `${observed.undocumented.length} undocumented answers.`,
  );
  assert.ok(
    observed.batches > 2 && observed.reads > 20,
    `${observed.batches} batches, ${observed.reads} reads.`,
  );
}

function figures(observed: Observed) {
  const { batches, reads, refused, oldest } = observed;
  return { batches, reads, mixed: 0, refused, 'oldest answer ms': ms(oldest) };
}

export const twoProcesses: Rule = {
  id: 'C7',
  title: 'SQLite: one process writes, another reads: nothing over a second old, nothing mixed',
  async run({ short }) {
    const writer = await Service.start();
    const reader = await Service.start({ databaseUrl: writer.databaseUrl });
    const observed = await hammer(writer, [reader, writer], short ? 5000 : 20_000);
    assertObserved(observed);
    await endInOrder(reader);
    await endInOrder(writer);
    return figures(observed);
  },
};

export const twoProcessesOnServer: Rule = {
  id: 'C8',
  title: 'MariaDB: one process writes, another reads: nothing over a second old, nothing mixed',
  needsMariadb: true,
  async run({ short }) {
    const server = await MariaDb.start();
    await runCommand('database/migrate.command.js', [], server.url);
    const writer = await Service.start({ databaseUrl: server.url });
    const reader = await Service.start({ databaseUrl: server.url });
    const observed = await hammer(writer, [reader, writer], short ? 5000 : 20_000);
    assertObserved(observed);
    await endInOrder(reader);
    await endInOrder(writer, [server]);
    return figures(observed);
  },
};

/** The ids of the processes that a process has started. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === String(pid);
      } catch {
        return false;
      }
    })
    .map(Number);
}

export const workersOnFile: Rule = {
  id: 'C9',
  title:
    'SQLite: two workers, one of which is killed under load: writers read their writes, it is replaced, the end is in order',
  async run({ short }) {
    const service = await Service.start({ settings: { WORKERS: '2' } });
    const commodities = await fill(service, 6);
    for (let patience = 100; childrenOf(service.pid).length < 2; patience--) {
      assert.ok(patience > 0, 'There is no second worker.');
      await sleep(100);
    }
    const clients = startClients(service, commodities, 5);
    await sleep(short ? 2000 : 8000);
    const whole = await clients.stop();
    assertConsistent(whole);
    assert.deepEqual(whole.refused, {});

    const before = childrenOf(service.pid);
    const later = startClients(service, commodities, 5);
    await sleep(500);
    process.kill(before[0]!, 'SIGKILL');
    await sleep(4000);
    const witnessed = await later.stop();
    // What the dead worker was at is cut off; everything else is answered.
    const cut = witnessed.undocumented.length;
    assert.ok(cut <= commodities.length, witnessed.undocumented.join('\n'));
    assertConsistent({ ...witnessed, undocumented: [] });
    const after = childrenOf(service.pid);
    assert.equal(after.length, 2, 'The worker was not replaced.');
    assert.ok(!after.includes(before[0]!));
    await endInOrder(service);
    return {
      writes: whole.writes + witnessed.writes,
      reads: whole.reads + witnessed.reads,
      stale: 0,
      cut,
      refused: refusals(witnessed),
      'slowest write ms': ms(whole.slowestWrite),
    };
  },
};
