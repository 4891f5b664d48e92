import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertStatuses, assertProblem, assertDuration, formatStatuses } from '../support/assertions.js';
import { jsonBody, startLoad } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import { writePricesFile } from '../support/prices-file.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

/**
 * Pauses the database during a long export. A truncated export must not look complete.
 * @returns the outcome of the export, for the report
 */
async function interruptExport(service: Service, server: MariaDb): Promise<string> {
  const imported = await runBuiltCommand(
    'import/import.command.js',
    ['prices', writePricesFile(100, 1000)],
    server.url,
  );
  assert.equal(imported.code, 0, imported.output);
  const path = (from: string) => `/api/v1/PriceSeriePrice/?format=csv&start_date=${from}`;
  const whole = (await service.request(path('2015-01-01'))).text;
  const pending = service.request(path('2014-12-31'), {
    timeoutMs: 30_000,
    onResponse: () => server.pause(),
  });
  const reply = await pending;
  server.resume();
  await service.waitUntilReady(10_000);
  if (reply.status !== 200) {
    assertProblem(reply, reply.status === 504 ? 504 : 503, reply.status === 504 ? 'timeout' : 'unavailable');
    return `rejected with ${reply.status}`;
  }
  if (!reply.truncated) assert.equal(reply.text.length, whole.length, 'A truncated export looked complete.');
  return reply.truncated
    ? `aborted after ${Math.round((100 * reply.text.length) / whole.length)} %`
    : 'was complete already';
}

export const databaseHangs: Rule = {
  id: 'F3',
  title: 'database hangs (process stopped) and resumes later',
  needsMariadb: true,
  async run(mode) {
    const { short } = mode;
    const server = await MariaDb.start();
    await runBuiltCommand('database/migrate.command.js', [], server.url);
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
    assert.ok(
      [503, 504].includes(written.status),
      `The write was answered ${written.status} ${written.text}`,
    );
    server.resume();
    const recovery = await service.waitUntilReady(10_000);
    await sleep(300);
    const result = await load.stop();
    assertStatuses(result, [200, 503, 504]);
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
      'slowest refusal ms': ms(result.slowestRejection),
      'slowest health ms': ms(slowestHealth),
      'write answered': `${written.status} after ${ms(written.ms)} ms`,
      'recovery ms': ms(recovery),
    };
  },
};
