import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathOf } from '../support/embedded.js';
import { startLoad } from '../support/http.js';
import { holdLock } from '../support/lock-holder.js';
import { ms, type Rule } from '../support/rule.js';
import { Service } from '../support/service.js';

/** A module loaded into the service that causes an error outside of requests on SIGUSR2. */
const errorModule = (code: string) =>
  `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => setTimeout(() => { ${code} }));`)}`;

export const errorOutside: Rule = {
  id: 'F15',
  title: 'error outside of requests',
  async run() {
    let slowest = 0;
    for (const code of [
      "throw new Error('injected error')",
      "void Promise.reject(new Error('injected error'))",
    ]) {
      const service = await Service.start({ settings: { NODE_OPTIONS: `--import=${errorModule(code)}` } });
      await service.login();
      const { released } = await holdLock(pathOf(service.databaseUrl), 1500);
      const slow = service.write('POST', '/api/v1/Commodity/', { commodity_name: 'Slow' });
      const load = startLoad(service.port, '/api/v1/PriceType/', { clients: 4 });
      await sleep(300);
      const began = performance.now();
      service.signal('SIGUSR2');
      assert.equal(await service.waitForExit(11_000), 1, service.tail());
      slowest = Math.max(slowest, performance.now() - began);
      const written = await slow;
      assert.equal(written.status, 201, 'The write in progress was not finished.');
      assert.ok(written.ms > 300, 'The write had ended before the error.');
      assert.equal((await load.stop()).truncated, 0);
      assert.match(service.output, /"level":"error".*injected error/);
      await released;
    }
    return { 'slowest end ms': ms(slowest) };
  },
};
