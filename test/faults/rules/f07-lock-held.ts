import assert from 'node:assert/strict';
import { assertStatuses, assertProblem, assertDuration, assertWithin } from '../support/assertions.js';
import { pathOf } from '../support/embedded.js';
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

    const short = await holdLock(pathOf(service.databaseUrl), 3000);
    const load = startLoad(service.port, read, { clients: 4, rate: 200 });
    const writes = await Promise.all(['A', 'B', 'C'].map(write));
    await short.released;
    const result = await load.stop();
    assertStatuses(result, [200]);
    assert.deepEqual(
      writes.map((reply) => reply.status),
      [201, 201, 201],
    );
    assertDuration(mode, result.p99, 200, 'p99 of reads');

    const long = await holdLock(pathOf(service.databaseUrl), 7000);
    const rejected = await write('D');
    assertProblem(rejected, 503, 'unavailable');
    assertWithin(rejected.ms, 6500, 'The rejection');
    await long.released;
    assert.equal((await write('D')).status, 201);
    await service.stop();
    return {
      reads: result.replies,
      'p99 ms': ms(result.p99),
      'slowest ms': ms(result.max),
      'rejected after ms': ms(rejected.ms),
    };
  },
};
