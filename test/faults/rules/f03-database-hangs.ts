import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertOnly, assertProblem, assertWithin, counts } from '../support/assertions.js';
import { json, startLoad } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import { writePricesFile } from '../support/prices-file.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runCommand } from '../support/service.js';

/**
 * Freezes the database in the middle of a long export. Whatever arrives until the service gives up must not pass for the whole.
 * @returns what became of the export
 */
async function cutStream(service: Service, server: MariaDb): Promise<string> {
  const imported = await runCommand(
    'import/import.command.js',
    ['prices', writePricesFile(100, 1000)],
    server.url,
  );
  assert.equal(imported.code, 0, imported.output);
  const path = (from: string) => `/api/v1/PriceSeriePrice/?format=csv&start_date=${from}`;
  const whole = (await service.ask(path('2015-01-01'))).text;
  const asking = service.ask(path('2014-12-31'), { patience: 30_000 });
  const bytes = async () =>
    Number(/^pds_requests_in_work (\d+)$/m.exec((await service.ask('/metrics')).text)?.[1]);
  while ((await bytes()) === 0) await sleep(1);
  server.freeze();
  const reply = await asking;
  server.thaw();
  await service.ready(10_000);
  if (reply.status !== 200) {
    assertProblem(reply, reply.status === 504 ? 504 : 503, reply.status === 504 ? 'timeout' : 'unavailable');
    return `refused with ${reply.status}`;
  }
  if (!reply.cut) assert.equal(reply.text.length, whole.length, 'A part of the export ended like the whole.');
  return reply.cut
    ? `cut after ${Math.round((100 * reply.text.length) / whole.length)} %`
    : 'was whole already';
}

export const databaseHangs: Rule = {
  id: 'F3',
  title: 'database hangs (process stopped), goes on later',
  needsMariadb: true,
  async run(mode) {
    const { short } = mode;
    const server = await MariaDb.start();
    await runCommand('database/migrate.command.js', [], server.url);
    const service = await Service.start({ databaseUrl: server.url });
    for (let index = 1; index <= 20; index++) {
      const made = await service.write('POST', '/api/v1/Commodity/', {
        commodity_name: `Commodity ${index}`,
      });
      assert.equal(made.status, 201, made.text);
    }
    const load = startLoad(
      service.port,
      () =>
        `/api/v1/Commodity/?name=${encodeURIComponent(`Commodity ${1 + Math.floor(Math.random() * 20)}`)}`,
      { clients: 25 },
    );
    await sleep(500);
    server.freeze();
    const began = performance.now();
    const write = service.write('POST', '/api/v1/Commodity/', { commodity_name: 'During the freeze' });
    let slowestHealth = 0;
    while (performance.now() - began < (short ? 7000 : 14_000)) {
      const ready = await service.ask('/health/ready');
      slowestHealth = Math.max(slowestHealth, ready.ms);
      if (performance.now() - began > 2500) assert.equal(ready.status, 503);
      assert.equal((await service.ask('/health/live')).status, 200);
      await sleep(100);
    }
    const written = await write;
    assert.ok(
      [503, 504].includes(written.status),
      `The write was answered ${written.status} ${written.text}`,
    );
    server.thaw();
    const recovery = await service.ready(10_000);
    await sleep(300);
    const seen = await load.stop();
    assertOnly(seen, [200, 503, 504]);
    assert.ok(seen.slowestRefusal <= 10_500, `An answer took ${seen.slowestRefusal} ms.`);
    assertWithin(mode, slowestHealth, 1100, 'Health');

    // A connection that was used again would give one request the answer to another.
    for (let index = 1; index <= 20; index++) {
      const name = `Commodity ${index}`;
      const reply = await service.ask(`/api/v1/Commodity/?name=${encodeURIComponent(name)}`);
      assert.deepEqual(
        json<{ name: string }[]>(reply).map((row) => row.name),
        [name],
      );
    }
    const stream = await cutStream(service, server);
    await service.stop();
    await server.stop();
    return {
      'export, database frozen half-way': stream,
      answers: counts(seen),
      'slowest refusal ms': ms(seen.slowestRefusal),
      'slowest health ms': ms(slowestHealth),
      'write answered': `${written.status} after ${ms(written.ms)} ms`,
      'recovery ms': ms(recovery),
    };
  },
};
