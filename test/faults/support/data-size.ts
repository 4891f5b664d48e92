import assert from 'node:assert/strict';
import { writePricesFile } from './prices-file.js';
import { Service, runBuiltCommand } from './service.js';

/** Data of a rule about memory, and the bound of R1 for them. */
export interface DataSize {
  series: number;
  /** Daily prices of each series. */
  days: number;
  /** Most resident memory. */
  megabytes: number;
  /** Parameters that select about 100 thousand points or more. */
  selection: string;
}

/** 100,000 series and 10 million points. */
export const SIZE_L: DataSize = {
  series: 100_000,
  days: 100,
  megabytes: 450,
  selection: '&commodity_ids=1',
};

/** Starts a service with generated prices. */
export async function startWithPrices(
  { series, days }: Pick<DataSize, 'series' | 'days'>,
  settings: Record<string, string> = {},
): Promise<Service> {
  const service = await Service.start({ settings });
  const imported = await runBuiltCommand(
    'import',
    ['prices', writePricesFile(series, days)],
    service.databaseUrl,
  );
  assert.equal(imported.code, 0, imported.output);
  return service;
}

/** The most memory of a service (MB) since the function was called. */
export function watchMemory(service: Service): () => number {
  let most = service.residentMemory();
  const timer = setInterval(() => (most = Math.max(most, service.residentMemory())), 50);
  return () => {
    clearInterval(timer);
    return most;
  };
}
