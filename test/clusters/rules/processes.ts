import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync, readdirSync } from 'node:fs';
import { MariaDb } from '../../faults/support/mariadb.js';
import { ms, type Rule } from '../../faults/support/rule.js';
import { Service, runBuiltCommand } from '../../faults/support/service.js';
import { hammer, type HammerResult } from '../support/batches.js';
import { assertConsistent } from '../support/checks.js';
import { stopAll, importSeries, formatRejections, startClients } from '../support/clients.js';

function assertHammerResult(result: HammerResult): void {
  assert.deepEqual(result.mixed.slice(0, 3), [], `${result.mixed.length} mixed replies.`);
  assert.deepEqual(result.stale.slice(0, 3), [], `${result.stale.length} stale replies.`);
  assert.deepEqual(
    result.undocumented.slice(0, 3),
    [],
    `${result.undocumented.length} undocumented replies.`,
  );
  assert.ok(result.batches > 2 && result.reads > 20, `${result.batches} batches, ${result.reads} reads.`);
}

function measurementsOf(result: HammerResult) {
  const { batches, reads, rejected, oldest } = result;
  return { batches, reads, mixed: 0, rejected, 'oldest answer ms': ms(oldest) };
}

export const twoProcesses: Rule = {
  id: 'C7',
  title: 'SQLite: one process writes, another reads: no reply is over a second old or mixes states',
  async run({ short }) {
    const writer = await Service.start();
    const reader = await Service.start({ databaseUrl: writer.databaseUrl });
    const result = await hammer(writer, [reader, writer], short ? 5000 : 20_000);
    assertHammerResult(result);
    await stopAll(reader);
    await stopAll(writer);
    return measurementsOf(result);
  },
};

export const twoProcessesOnServer: Rule = {
  id: 'C8',
  title: 'MariaDB: one process writes, another reads: no reply is over a second old or mixes states',
  needsMariadb: true,
  async run({ short }) {
    const server = await MariaDb.start();
    await runBuiltCommand('migrate', [], server.url);
    const writer = await Service.start({ databaseUrl: server.url });
    const reader = await Service.start({ databaseUrl: server.url });
    const result = await hammer(writer, [reader, writer], short ? 5000 : 20_000);
    assertHammerResult(result);
    await stopAll(reader);
    await stopAll(writer, [server]);
    return measurementsOf(result);
  },
};

/** The ids of the child processes of a process. */
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
    'SQLite: two workers, one of which is killed under load: clients read their writes, it is replaced, graceful shutdown',
  async run({ short }) {
    const service = await Service.start({ settings: { WORKERS: '2' } });
    const commodities = await importSeries(service, 6);
    for (let attempts = 100; childrenOf(service.pid).length < 2; attempts--) {
      assert.ok(attempts > 0, 'The second worker did not start.');
      await sleep(100);
    }
    const clients = startClients(service, commodities, 5);
    await sleep(short ? 2000 : 8000);
    const whole = await clients.stop();
    assertConsistent(whole);
    assert.deepEqual(whole.rejected, {});

    const before = childrenOf(service.pid);
    const later = startClients(service, commodities, 5);
    await sleep(500);
    process.kill(before[0]!, 'SIGKILL');
    await sleep(4000);
    const results = await later.stop();
    // The requests of the killed worker are aborted; all others are answered.
    const aborted = results.undocumented.length;
    assert.ok(aborted <= commodities.length, results.undocumented.join('\n'));
    assertConsistent({ ...results, undocumented: [] });
    const after = childrenOf(service.pid);
    assert.equal(after.length, 2, 'The worker was not replaced.');
    assert.ok(!after.includes(before[0]!));
    await stopAll(service);
    return {
      writes: whole.writes + results.writes,
      reads: whole.reads + results.reads,
      stale: 0,
      cut: aborted,
      rejected: formatRejections(results),
      'slowest write ms': ms(whole.slowestWrite),
    };
  },
};
