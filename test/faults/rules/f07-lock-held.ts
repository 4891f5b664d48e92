import assert from 'node:assert/strict';
import { assertOnly, assertProblem, assertWithin } from '../support/assertions.js';
import { fileOf } from '../support/embedded.js';
import { startLoad } from '../support/http.js';
import { holdLock } from '../support/lock-holder.js';
import { ms, type Rule } from '../support/rule.js';
import { Service } from '../support/service.js';

export const lockHeld: Rule = {
  id: 'F7',
  title: 'another process holds the embedded write lock',
  async run(mode) {
    const service = await Service.start();
    await service.login();
    let count = 0;
    const read = () => `/api/v1/Commodity/?name=name${count++}`;
    const write = (name: string) => service.write('POST', '/api/v1/Commodity/', { commodity_name: name });

    const short = await holdLock(fileOf(service.databaseUrl), 3000);
    const load = startLoad(service.port, read, { clients: 4, rate: 200 });
    const writes = await Promise.all(['A', 'B', 'C'].map(write));
    await short.released;
    const seen = await load.stop();
    assertOnly(seen, [200]);
    assert.deepEqual(
      writes.map((reply) => reply.status),
      [201, 201, 201],
    );
    assertWithin(mode, seen.p99, 200, 'Of reads p99');

    const long = await holdLock(fileOf(service.databaseUrl), 7000);
    const refused = await write('D');
    assertProblem(refused, 503, 'unavailable');
    assert.ok(refused.ms <= 6500, `The refusal took ${refused.ms} ms.`);
    await long.released;
    assert.equal((await write('D')).status, 201);
    await service.stop();
    return {
      reads: seen.replies,
      'p99 ms': ms(seen.p99),
      'slowest ms': ms(seen.most),
      'refused after ms': ms(refused.ms),
    };
  },
};
