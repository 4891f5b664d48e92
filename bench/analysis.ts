import { countryOf, type DataSize } from './data.js';
import { type LoopIterationTimes, whileMeasured } from './loop-iterations.js';
import type { MeasuredServer } from './processes.js';
import { compare, type Comparison, type Rounds } from './rounds.js';
import { API_BASE, RandomRequests } from './scenarios.js';
import { httpGet } from './servers.js';

/** A request that calculates something of many series. */
export interface Calculation {
  /** Milliseconds of processor time of the service. */
  milliseconds: number;
  iterations: LoopIterationTimes;
}

async function measure(service: MeasuredServer, path: string): Promise<Calculation> {
  const before = service.cpu();
  const [{ status }, iterations] = await whileMeasured(service, () =>
    httpGet(service.port, `${API_BASE}/${path}`),
  );
  if (status !== 200) throw new Error(`${path} has status ${status}.`);
  return { milliseconds: (service.cpu() - before) / 1000, iterations };
}

/**
 * Lists the newest indicators: they are calculated of all series where nobody has asked before,
 * else of those that have changed since.
 */
export const measureNewestIndicators = (service: MeasuredServer): Promise<Calculation> =>
  measure(service, 'PriceSerieIndicator/?page_size=1');

/** Puts the prices of all series of five countries together; of size L, some 8,500. */
export const measureAggregates = (service: MeasuredServer): Promise<Calculation> =>
  measure(
    service,
    `PriceAggregate/?by=country&iso3_country_codes=${[1, 2, 3, 4, 5].map(countryOf).join(',')}`,
  );

/** The indicators of one random series, beside the prices of one. */
export function compareIndicators(
  service: MeasuredServer,
  size: DataSize,
  rounds: Rounds,
): Promise<Comparison> {
  const random = new RandomRequests(size);
  const indicators = () => ({ path: `${API_BASE}/PriceSerieIndicator/${random.uuid()}/` });
  const prices = () => random.onePrice();
  return compare({ server: service, next: indicators }, { server: service, next: prices }, 4, rounds);
}

/** The aggregates of 500 random series, beside a table of as many. */
export function compareAggregates(
  service: MeasuredServer,
  size: DataSize,
  rounds: Rounds,
): Promise<Comparison> {
  const random = new RandomRequests(size);
  const table = () => random.table();
  const aggregates = () => ({ path: random.table().path.replace('PriceTable', 'PriceAggregate') });
  return compare({ server: service, next: aggregates }, { server: service, next: table }, 2, rounds);
}
