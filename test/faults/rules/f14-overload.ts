import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertOnly, assertWithin } from '../support/assertions.js';
import { runLoad } from '../support/http.js';
import { flood } from '../support/flood.js';
import { writePricesFile } from '../support/prices-file.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runCommand } from '../support/service.js';

/** Lists a second that the service is made for. */
const RATED = 200;
/** No two requests are the same, so the page cache cannot help. */
const LIST =
  '/api/v1/PriceSerie/?page_size=100&iso3_country_codes=KEN,UGA&newerThan=2000-01-01&search=commodity&commodity_ids=1%n,1,2,3,4,5,6,7,8';

export const overload: Rule = {
  id: 'F14',
  title: 'ten times the rated load',
  limit: 240_000,
  async run(mode) {
    const { short } = mode;
    const service = await Service.start();
    const imported = await runCommand(
      'import/import.command.js',
      ['prices', writePricesFile(2000, 20)],
      service.databaseUrl,
    );
    assert.equal(imported.code, 0, imported.output);
    await sleep(500);
    const calm = await runLoad(service.port, LIST.replace('%n', '1'), {
      clients: 4,
      rate: 50,
      duration: 1000,
    });
    assertOnly(calm, [200]);

    const duration = short ? 8000 : 60_000;
    const flooding = flood({ port: service.port, path: LIST, connections: 600, rate: 10 * RATED, duration });
    await sleep(1000);
    const health = await runLoad(service.port, '/health/ready', {
      clients: 1,
      rate: 10,
      duration: duration - 2000,
    });
    const live = await runLoad(service.port, '/health/live', { clients: 1, rate: 10, duration: 500 });
    const seen = await flooding;
    const memory = service.memory();
    await sleep(5000);
    const after = await runLoad(service.port, LIST.replace('%n', '9'), {
      clients: 4,
      rate: 50,
      duration: 2000,
    });

    const others = Object.keys(seen.statuses).filter((status) => !['200', '503'].includes(status));
    assert.deepEqual(others, [], JSON.stringify(seen.statuses));
    assertOnly(health, [200]);
    assertOnly(live, [200]);
    assertOnly(after, [200]);
    assertWithin(mode, seen.p99, 1000, `Of accepted requests, ${JSON.stringify(seen)}, p99`);
    assertWithin(mode, health.p99, 100, 'Health, p99,');
    assertWithin(mode, after.p99, 150, 'Five seconds later p99');
    assert.ok(memory <= 350, `It holds ${memory} MB.`);
    await service.stop();
    return {
      seconds: duration / 1000,
      answers: Object.entries(seen.statuses)
        .map(([status, count]) => `${status}×${count}`)
        .join(' '),
      'p99 of accepted ms': ms(seen.p99),
      'p99 of refusals ms': ms(seen.refusalP99),
      'health p99 ms': ms(health.p99),
      'health slowest ms': ms(health.most),
      'p99 five seconds later ms': ms(after.p99),
      'memory MB': ms(memory),
    };
  },
};
