import assert from 'node:assert/strict';
import { assertStatuses, formatStatuses } from '../support/assertions.js';
import { measureLoad } from '../support/http.js';
import { writePricesFile } from '../support/prices-file.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

export const memory: Rule = {
  id: 'R1',
  title: 'memory with concurrent long lists and exports',
  timeoutMs: 240_000,
  async run({ short }) {
    const [series, days] = short ? [1000, 100] : [5000, 100];
    const service = await Service.start();
    const imported = await runBuiltCommand(
      'import/import.command.js',
      ['prices', writePricesFile(series, days)],
      service.databaseUrl,
    );
    assert.equal(imported.code, 0, imported.output);
    let count = 0;
    // A different day before all prices each time: everything is selected, and nothing is cached.
    const day = () => new Date(Date.UTC(2000, 0, 1 + count++)).toISOString().slice(0, 10);
    const paths = [
      () => `/api/v1/PriceSerie/?page_size=10000&data_from=${day()}`,
      () => `/api/v1/PriceSerie/?format=csv&data_from=${day()}`,
      () => `/api/v1/PriceSeriePrice/?format=csv&start_date=${day()}`,
      () => `/api/v1/PriceSeriePrice/?page_size=500&page=${1 + (count % 2)}&start_date=${day()}`,
      () => `/api/v1/PriceSeriePrice/?format=ndjson&start_date=${day()}`,
    ];
    for (const path of paths) {
      const reply = await service.request(path(), { timeoutMs: 60_000 });
      assert.equal(reply.status, 200, reply.text);
      assert.ok(reply.text.length > 80 * series, `A reply has only ${reply.text.length} bytes.`);
    }
    let most = service.residentMemory();
    const timer = setInterval(() => (most = Math.max(most, service.residentMemory())), 50);
    const result = await measureLoad(service.port, () => paths[count % paths.length]!(), {
      clients: 6,
      duration: short ? 5000 : 20_000,
      request: { headers: { 'Accept-Encoding': 'gzip' }, timeoutMs: 60_000 },
    });
    clearInterval(timer);
    assertStatuses(result, [200, 503]);
    const served = result.statuses['200'] ?? 0;
    assert.ok(served >= 0.9 * result.replies, `Too few were served: ${formatStatuses(result)}.`);
    assert.ok(most <= 350, `The service used ${most} MB.`);
    await service.stop();
    return {
      series,
      points: series * days,
      answers: formatStatuses(result),
      'most memory MB': ms(most),
      'p99 ms': ms(result.p99),
    };
  },
};
