import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertStatuses, assertDuration, formatStatuses } from '../support/assertions.js';
import { jsonBody, startLoad } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import { writePricesFile } from '../support/prices-file.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

const EXPORT = '/api/v1/PriceSeriePrice/?format=csv';

/**
 * Pauses the database once an export has begun. A truncated export must not look complete.
 * @returns the outcome of the export, for the report
 */
async function interruptExport(service: Service, server: MariaDb): Promise<string> {
  const imported = await runBuiltCommand('import', ['prices', writePricesFile(450, 1000)], server.url);
  assert.equal(imported.code, 0, imported.output);
  // Up to 400,000 points are loaded before the first byte, the rest as it is sent.
  const reply = await service.request(EXPORT, { timeoutMs: 60_000, onResponse: () => server.pause() });
  server.resume();
  await service.waitUntilReady(10_000);
  const whole = await service.request(EXPORT, { timeoutMs: 60_000 });
  assert.deepEqual([reply.status, whole.status, whole.truncated], [200, 200, false]);
  assert.ok(reply.truncated, 'The export was not truncated, or looked complete.');
  return `aborted after ${Math.round((100 * reply.text.length) / whole.text.length)} %`;
}

export const databaseHangs: Rule = {
  id: 'F3',
  title: 'database hangs (process stopped) and resumes later',
  needsMariadb: true,
  timeoutMs: 180_000,
  async run(mode) {
    const { short } = mode;
    const server = await MariaDb.start();
    await runBuiltCommand('migrate', [], server.url);
    const service = await Service.start({ databaseUrl: server.url });
    for (let index = 1; index <= 20; index++) {
      const created = await service.write('POST', '/api/v1/Commodity/', {
        commodity_name: `Commodity ${index}`,
      });
      assert.equal(created.status, 201, created.text);
    }
    const load = startLoad(
      service.port,
      () =>
        `/api/v1/Commodity/?name=${encodeURIComponent(`Commodity ${1 + Math.floor(Math.random() * 20)}`)}`,
      { clients: 25 },
    );
    await sleep(500);
    server.pause();
    const began = performance.now();
    const write = service.write('POST', '/api/v1/Commodity/', { commodity_name: 'During the pause' });
    let slowestHealth = 0;
    while (performance.now() - began < (short ? 7000 : 14_000)) {
      const ready = await service.request('/health/ready');
      slowestHealth = Math.max(slowestHealth, ready.ms);
      if (performance.now() - began > 2500) assert.equal(ready.status, 503);
      assert.equal((await service.request('/health/live')).status, 200);
      await sleep(100);
    }
    const written = await write;
    assert.ok(written.ms <= 10_000, `A write took ${written.ms} ms.`);
    assert.ok(
      [503, 504].includes(written.status),
      `The write was answered ${written.status} ${written.text}`,
    );
    server.resume();
    const recovery = await service.waitUntilReady(10_000);
    await sleep(300);
    const result = await load.stop();
    assertStatuses(result, [200, 503, 504]);
    const { 200: served = 0, 503: unavailable = 0, 504: late = 0 } = result.statuses;
    assert.ok(served > 0 && unavailable + late > 0, `No read met the pause: ${formatStatuses(result)}.`);
    assert.ok(result.slowestRejection <= 10_500, `A reply took ${result.slowestRejection} ms.`);
    assertDuration(mode, slowestHealth, 1100, 'Health');

    // A reused connection would return the result of another request.
    for (let index = 1; index <= 20; index++) {
      const name = `Commodity ${index}`;
      const reply = await service.request(`/api/v1/Commodity/?name=${encodeURIComponent(name)}`);
      assert.deepEqual(
        jsonBody<{ name: string }[]>(reply).map((row) => row.name),
        [name],
      );
    }
    const stream = await interruptExport(service, server);
    await service.stop();
    await server.stop();
    return {
      'export, database frozen half-way': stream,
      answers: formatStatuses(result),
      'slowest rejection ms': ms(result.slowestRejection),
      'slowest health ms': ms(slowestHealth),
      'write answered': `${written.status} after ${ms(written.ms)} ms`,
      'recovery ms': ms(recovery),
    };
  },
};
