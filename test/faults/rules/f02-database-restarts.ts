import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertStatuses, formatStatuses } from '../support/assertions.js';
import { jsonBody, startLoad } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

export const databaseRestarts: Rule = {
  id: 'F2',
  title: 'database killed and restarted under load',
  needsMariadb: true,
  timeoutMs: 240_000,
  async run({ short }) {
    const server = await MariaDb.start();
    await runBuiltCommand('migrate', [], server.url);
    const service = await Service.start({ databaseUrl: server.url });
    const token = await service.login();
    let count = 0;
    const reads = startLoad(service.port, () => `/api/v1/Commodity/?name=name${count++}`, {
      clients: 8,
      rate: 200,
    });
    const acknowledged: string[] = [];
    const rejected: string[] = [];
    let writing = true;
    const statuses = new Set<number>();
    const writes = (async () => {
      for (let index = 0; writing; index++) {
        const name = `Written ${index}`;
        const reply = await service.request('/api/v1/Commodity/', {
          method: 'POST',
          body: { commodity_name: name },
          headers: { Authorization: `Bearer ${token}` },
        });
        statuses.add(reply.status);
        if (reply.status === 201) acknowledged.push(name);
        else if (jsonBody<{ code: string }>(reply).code !== 'outcome_unknown') rejected.push(name);
        await sleep(20);
      }
    })();

    const rounds = short ? 2 : 5;
    let slowest = 0;
    for (let round = 0; round < rounds; round++) {
      await sleep(800);
      await server.kill();
      await sleep(700);
      await server.start();
      const began = performance.now();
      await service.waitForStatus(`/api/v1/Commodity/?name=back${round}`, 200, 10_000);
      await service.waitUntilReady(10_000);
      slowest = Math.max(slowest, performance.now() - began);
    }
    await sleep(500);
    writing = false;
    await writes;
    const result = await reads.stop();
    assertStatuses(result, [200, 503, 504]);
    for (const status of statuses)
      assert.ok([201, 503, 504].includes(status), `A write was answered ${status}.`);
    assert.equal(service.exitStatus, null, 'The process exited.');
    assert.ok(acknowledged.length > 0 && rejected.length > 0, 'No write met a restart.');

    const stored = new Set(
      (await server.query<{ name: string }>('SELECT name FROM commodity', 'prices')).map(({ name }) => name),
    );
    const lost = acknowledged.filter((name) => !stored.has(name));
    assert.deepEqual(lost, [], 'Acknowledged writes were lost.');
    const kept = rejected.filter((name) => stored.has(name));
    assert.deepEqual(kept, [], 'Rejected writes were stored.');
    await service.stop();
    await server.stop();
    return {
      rounds,
      reads: formatStatuses(result),
      'writes kept': acknowledged.length,
      'writes rejected': rejected.length,
      'slowest recovery ms': ms(slowest),
    };
  },
};
