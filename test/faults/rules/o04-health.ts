import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertWithin } from '../support/assertions.js';
import { MariaDb } from '../support/mariadb.js';
import { summary } from '../support/http.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runCommand } from '../support/service.js';

const checksOf = async (service: Service) =>
  Number(/^pds_readiness_checks_total (\d+)$/m.exec((await service.ask('/metrics')).text)?.[1]);

export const health: Rule = {
  id: 'O4',
  title: '1000 questions about health at the same time',
  needsMariadb: true,
  async run(mode) {
    const server = await MariaDb.start();
    await runCommand('database/migrate.command.js', [], server.url);
    const service = await Service.start({ databaseUrl: server.url });
    const before = await checksOf(service);
    const ask = () => Promise.all(Array.from({ length: 1000 }, () => service.ask('/health/ready')));
    const began = performance.now();
    const seen = summary(await ask());
    const took = performance.now() - began;
    assert.deepEqual(seen.statuses, { 200: 1000 });
    const checks = (await checksOf(service)) - before;
    // The answers themselves may take longer than the second that a check is good for.
    assert.ok(checks <= 1 + Math.ceil(took / 1000), `${checks} checks in ${took} ms.`);

    server.freeze();
    // The last result is good for a second.
    await sleep(1100);
    const frozen = summary(await Promise.all(Array.from({ length: 50 }, () => service.ask('/health/ready'))));
    server.thaw();
    assert.deepEqual(frozen.statuses, { 503: 50 });
    assertWithin(mode, frozen.slowestRefusal, 1100, 'An answer');
    await service.ready(10_000);
    await service.stop();
    await server.stop();
    return {
      checks,
      'all answered in ms': ms(took),
      'slowest, database frozen, ms': ms(frozen.slowestRefusal),
    };
  },
};
