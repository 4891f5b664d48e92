import assert from 'node:assert/strict';
import { assertStatuses } from '../support/assertions.js';
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
    let most = service.residentMemory();
    const timer = setInterval(() => (most = Math.max(most, service.residentMemory())), 50);
    let count = 0;
    const paths = [
      () => `/api/v1/PriceSerie/?page_size=10000&_=${count}&data_from=20${10 + (count % 10)}-01-01`,
      () => `/api/v1/PriceSerie/?format=csv&data_from=20${10 + (count % 10)}-01-02`,
      () => `/api/v1/PriceSeriePrice/?format=csv&start_date=20${10 + (count % 10)}-01-03`,
      () =>
        `/api/v1/PriceSeriePrice/?page_size=500&page=${1 + (count % 2)}&start_date=20${10 + (count % 6)}-02-01`,
      () => `/api/v1/PriceSeriePrice/?format=ndjson&start_date=20${10 + (count % 6)}-03-01`,
    ];
    const result = await measureLoad(service.port, () => paths[count++ % paths.length]!(), {
      clients: 6,
      duration: short ? 5000 : 20_000,
      request: { headers: { 'Accept-Encoding': 'gzip' }, timeoutMs: 60_000 },
    });
    clearInterval(timer);
    assertStatuses(result, [200, 404, 503]);
    assert.ok(most <= 350, `The service used ${most} MB.`);
    await service.stop();
    return {
      series,
      points: series * days,
      requests: result.replies,
      'most memory MB': ms(most),
      'p99 ms': ms(result.p99),
    };
  },
};
