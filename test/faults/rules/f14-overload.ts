import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertStatuses, assertDuration } from '../support/assertions.js';
import { measureLoad } from '../support/http.js';
import { flood } from '../support/flood.js';
import { writePricesFile } from '../support/prices-file.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

/** Rated load: list requests per second. */
const RATED = 200;
/** All requests differ, so that the page cache has no effect. */
const LIST =
  '/api/v1/PriceSerie/?page_size=100&iso3_country_codes=KEN,UGA&newerThan=2000-01-01&search=commodity&commodity_ids=1%n,1,2,3,4,5,6,7,8';

export const overload: Rule = {
  id: 'F14',
  title: 'ten times the rated load',
  timeoutMs: 240_000,
  async run(mode) {
    const { short } = mode;
    const service = await Service.start();
    const imported = await runBuiltCommand(
      'import',
      ['prices', writePricesFile(2000, 20)],
      service.databaseUrl,
    );
    assert.equal(imported.code, 0, imported.output);
    await sleep(500);
    const calm = await measureLoad(service.port, LIST.replace('%n', '1'), {
      clients: 4,
      rate: 50,
      duration: 1000,
    });
    assertStatuses(calm, [200]);

    const duration = short ? 8000 : 60_000;
    const flooding = flood({ port: service.port, path: LIST, connections: 600, rate: 10 * RATED, duration });
    await sleep(1000);
    const health = await measureLoad(service.port, '/health/ready', {
      clients: 1,
      rate: 10,
      duration: duration - 2000,
    });
    const live = await measureLoad(service.port, '/health/live', { clients: 1, rate: 10, duration: 500 });
    const result = await flooding;
    const memory = service.residentMemory();
    await sleep(5000);
    const after = await measureLoad(service.port, LIST.replace('%n', '9'), {
      clients: 4,
      rate: 50,
      duration: 2000,
    });

    const others = Object.keys(result.statuses).filter((status) => !['200', '503'].includes(status));
    assert.deepEqual(others, [], JSON.stringify(result.statuses));
    assertStatuses(health, [200]);
    assertStatuses(live, [200]);
    assertStatuses(after, [200]);
    assertDuration(mode, result.p99, 1000, `p99 of accepted requests, ${JSON.stringify(result)},`);
    assertDuration(mode, health.p99, 100, 'p99 of health');
    assertDuration(mode, after.p99, 150, 'p99 five seconds later');
    assert.ok(memory <= 350, `The service uses ${memory} MB.`);
    await service.stop();
    return {
      seconds: duration / 1000,
      answers: Object.entries(result.statuses)
        .map(([status, count]) => `${status}×${count}`)
        .join(' '),
      'p99 of accepted ms': ms(result.p99),
      'p99 of rejections ms': ms(result.rejectedP99),
      'health p99 ms': ms(health.p99),
      'health slowest ms': ms(health.max),
      'p99 five seconds later ms': ms(after.p99),
      'memory MB': ms(memory),
    };
  },
};
