import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertDuration } from '../support/assertions.js';
import { MariaDb } from '../support/mariadb.js';
import { summarize } from '../support/http.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

/** The checks so far; metrics are computed once a second. */
const checksOf = async (service: Service) => {
  await sleep(1000);
  return service.metric('pds_readiness_checks_total');
};

export const health: Rule = {
  id: 'O4',
  title: '1000 concurrent readiness requests',
  needsMariadb: true,
  async run(mode) {
    const server = await MariaDb.start();
    await runBuiltCommand('migrate', [], server.url);
    const service = await Service.start({
      databaseUrl: server.url,
      settings: { MAX_CONNECTIONS_PER_ADDRESS: '0' },
    });
    const before = await checksOf(service);
    const requestAll = () =>
      Promise.all(Array.from({ length: 1000 }, () => service.request('/health/ready')));
    const began = performance.now();
    const result = summarize(await requestAll());
    const took = performance.now() - began;
    assert.deepEqual(result.statuses, { 200: 1000 });
    const checks = (await checksOf(service)) - before;
    // The replies may take longer than the second for which a check is reused.
    assert.ok(checks <= 1 + Math.ceil(took / 1000), `${checks} checks in ${took} ms.`);

    server.pause();
    // The last result is reused for a second.
    await sleep(1100);
    const paused = summarize(
      await Promise.all(Array.from({ length: 50 }, () => service.request('/health/ready'))),
    );
    server.resume();
    assert.deepEqual(paused.statuses, { 503: 50 });
    assertDuration(mode, paused.slowestRejection, 1100, 'A reply');
    await service.waitUntilReady(10_000);
    await service.stop();
    await server.stop();
    return {
      checks,
      'all answered in ms': ms(took),
      'slowest, database frozen, ms': ms(paused.slowestRejection),
    };
  },
};
