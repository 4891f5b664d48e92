import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertOnly, counts } from '../support/assertions.js';
import { json, startLoad } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runCommand } from '../support/service.js';

export const databaseHangs: Rule = {
  id: 'F3',
  title: 'database hangs (process stopped), goes on later',
  needsMariadb: true,
  async run({ short }) {
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
    assert.ok(slowestHealth <= 1100, `Health took ${slowestHealth} ms.`);

    // A connection that was used again would give one request the answer to another.
    for (let index = 1; index <= 20; index++) {
      const name = `Commodity ${index}`;
      const reply = await service.ask(`/api/v1/Commodity/?name=${encodeURIComponent(name)}`);
      assert.deepEqual(
        json<{ name: string }[]>(reply).map((row) => row.name),
        [name],
      );
    }
    await service.stop();
    await server.stop();
    return {
      answers: counts(seen),
      'slowest refusal ms': ms(seen.slowestRefusal),
      'slowest health ms': ms(slowestHealth),
      'write answered': `${written.status} after ${ms(written.ms)} ms`,
      'recovery ms': ms(recovery),
    };
  },
};
