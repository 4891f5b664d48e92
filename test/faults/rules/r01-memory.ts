import assert from 'node:assert/strict';
import { assertStatuses, formatStatuses } from '../support/assertions.js';
import { type DataSize, SIZE_L, startWithPrices, watchMemory } from '../support/data-size.js';
import { measureLoad } from '../support/http.js';
import { ms, type Measurements, type Rule, SkipRule } from '../support/rule.js';

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

/** Clients of one address, for the formats that hold most. */
const CLIENTS = 12;

export const memoryOfFormats: Rule = {
  id: 'R1',
  title: 'memory with 12 clients of workbooks and Parquet files',
  timeoutMs: 300_000,
  async run({ short }) {
    if (short) throw new SkipRule('What workbooks hold needs a whole run.');
    return measureFormats({ ...M, megabytes: 400 }, 15_000);
  },
};

export const memoryOfFormatsAtSizeL: Rule = {
  id: 'R1',
  title: 'memory with 12 clients of workbooks and Parquet files at size L',
  timeoutMs: 1_800_000,
  run: () => measureFormats(SIZE_L, 30_000),
};

/** Workbooks with nearly as many cells as they may have, and whole Parquet files. */
async function measureFormats(size: DataSize, duration: number): Promise<Measurements> {
  const { series, days, megabytes } = size;
  const service = await startWithPrices(size);
  const before = service.residentMemory();
  let count = 0;
  const day = () => new Date(Date.UTC(2000, 0, 1 + count++)).toISOString().slice(0, 10);
  const paths = [
    () => `/api/v1/PriceSeriePrice/?format=xlsx&start_date=${day()}&market_ids=${MARKETS}`,
    () =>
      `/api/v1/PriceSeriePrice/?format=parquet&start_date=${day()}&commodity_ids=${commoditiesOf(FILED, series)}`,
    () => `/api/v1/PriceSerie/?format=xlsx&data_from=${day()}&commodity_ids=${commoditiesOf(LISTED, series)}`,
    () => `/api/v1/PriceSerie/?format=parquet&data_from=${day()}`,
  ];
  for (const path of paths) {
    const reply = await service.request(path(), { timeoutMs: 120_000 });
    assert.equal(reply.status, 200, reply.text);
  }
  const maxMemory = watchMemory(service);
  const result = await measureLoad(service.port, () => paths[count % paths.length]!(), {
    clients: CLIENTS,
    duration,
    request: { timeoutMs: 120_000 },
  });
  const most = maxMemory();
  assert.ok(most <= megabytes, `The service used ${most} MB.`);
  // A workbook that waits too long on a slow machine is 504.
  assertStatuses(result, [200, 503, 504]);
  assert.ok((result.statuses['200'] ?? 0) > 0, `None was served: ${formatStatuses(result)}.`);
  await service.stop();
  return {
    series,
    points: series * days,
    answers: formatStatuses(result),
    'memory before MB': ms(before),
    'most memory MB': ms(most),
  };
}

/** Markets whose prices have nearly as many cells as a workbook may have. */
const MARKETS = Array.from({ length: 24 }, (_, index) => index + 1).join(',');
/** Series of whose list that is so. */
const LISTED = 12_500;
/** Series whose prices are some 150 thousand rows, many row groups of Parquet. */
const FILED = 1250;

/** The ids of commodities that have so many of the generated series. */
const commoditiesOf = (wanted: number, series: number) =>
  Array.from({ length: Math.min(40, Math.ceil((40 * wanted) / series)) }, (_, index) => index + 1).join(',');

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
  const maxMemory = watchMemory(service);
  const result = await measureLoad(service.port, () => paths[count % paths.length]!(), {
    clients: 6,
    duration,
    request: { headers: { 'Accept-Encoding': 'gzip' }, timeoutMs: 60_000 },
  });
  const most = maxMemory();
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
