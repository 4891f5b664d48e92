import assert from 'node:assert/strict';
import { assertStatuses, formatStatuses } from '../support/assertions.js';
import { type DataSize, SIZE_L, startWithPrices, watchMemory } from '../support/data-size.js';
import { measureLoad } from '../support/http.js';
import { ms, type Measurements, type Rule } from '../support/rule.js';

const M: DataSize = { series: 5000, days: 100, megabytes: 350, selection: '' };

export const memory: Rule = {
  id: 'R1',
  title: 'memory with concurrent long lists and exports',
  timeoutMs: 240_000,
  run: ({ short }) => (short ? measure({ ...M, series: 1000 }, 5000) : measure(M, 20_000)),
};

export const memoryAtSizeL: Rule = {
  id: 'R1',
  title: 'memory with concurrent long lists and exports at size L',
  timeoutMs: 1_800_000,
  run: () => measure(SIZE_L, 20_000),
};

async function measure(size: DataSize, duration: number): Promise<Measurements> {
  const { series, days, megabytes, selection } = size;
  const service = await startWithPrices(size);
  let count = 0;
  // A different day before all prices each time: everything is selected, and nothing is cached.
  const day = () => new Date(Date.UTC(2000, 0, 1 + count++)).toISOString().slice(0, 10);
  const paths = [
    () => `/api/v1/PriceSerie/?page_size=10000&data_from=${day()}`,
    () => `/api/v1/PriceSerie/?format=csv&data_from=${day()}`,
    () => `/api/v1/PriceSeriePrice/?format=csv&start_date=${day()}${selection}`,
    () => `/api/v1/PriceSeriePrice/?page_size=500&page=${1 + (count % 2)}&start_date=${day()}`,
    () => `/api/v1/PriceSeriePrice/?format=ndjson&start_date=${day()}${selection}`,
  ];
  for (const path of paths) {
    const reply = await service.request(path(), { timeoutMs: 60_000 });
    assert.equal(reply.status, 200, reply.text);
    const least = 80 * Math.min(series, 5000);
    assert.ok(reply.text.length > least, `A reply has only ${reply.text.length} bytes.`);
  }
  const mostMemory = watchMemory(service);
  const result = await measureLoad(service.port, () => paths[count % paths.length]!(), {
    clients: 6,
    duration,
    request: { headers: { 'Accept-Encoding': 'gzip' }, timeoutMs: 60_000 },
  });
  const most = mostMemory();
  assertStatuses(result, [200, 503]);
  const served = result.statuses['200'] ?? 0;
  assert.ok(served >= 0.9 * result.replies, `Too few were served: ${formatStatuses(result)}.`);
  assert.ok(most <= megabytes, `The service used ${most} MB.`);
  await service.stop();
  return {
    series,
    points: series * days,
    answers: formatStatuses(result),
    'most memory MB': ms(most),
    'p99 ms': ms(result.p99),
  };
}
