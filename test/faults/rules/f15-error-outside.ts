import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileOf } from '../support/embedded.js';
import { startLoad } from '../support/http.js';
import { holdLock } from '../support/lock-holder.js';
import { ms, type Rule } from '../support/rule.js';
import { Service } from '../support/service.js';

/** Loaded into the service: an error that no request has caused, at a signal. */
const fault = (code: string) =>
  `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => setTimeout(() => { ${code} }));`)}`;

export const errorOutside: Rule = {
  id: 'F15',
  title: 'error outside a request',
  async run() {
    let slowest = 0;
    for (const code of [
      "throw new Error('nobody asked')",
      "void Promise.reject(new Error('nobody asked'))",
    ]) {
      const service = await Service.start({ settings: { NODE_OPTIONS: `--import=${fault(code)}` } });
      await service.login();
      const { released } = await holdLock(fileOf(service.databaseUrl), 1500);
      const slow = service.write('POST', '/api/v1/Commodity/', { commodity_name: 'Slow' });
      const load = startLoad(service.port, '/api/v1/PriceType/', { clients: 4 });
      await sleep(300);
      const began = performance.now();
      service.signal('SIGUSR2');
      assert.equal(await service.end(11_000), 1, service.tail());
      slowest = Math.max(slowest, performance.now() - began);
      assert.equal((await slow).status, 201, 'The write under way was not finished.');
      assert.equal((await load.stop()).cut, 0);
      assert.match(service.output, /"level":"error".*nobody asked/);
      await released;
    }
    return { 'slowest end ms': ms(slowest) };
  },
};
