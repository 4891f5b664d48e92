import type { DataSize } from './data.js';
import type { MeasuredServer } from './processes.js';
import { compare, type Comparison, type Rounds } from './rounds.js';
import { API_BASE, RandomRequests } from './scenarios.js';
import { httpGet } from './servers.js';

/**
 * Milliseconds of processor time until the newest indicators are listed: of all series where nobody
 * has asked before, else of those that have changed since.
 */
export async function timeNewestIndicators(service: MeasuredServer): Promise<number> {
  const before = service.cpu();
  const { status } = await httpGet(service.port, `${API_BASE}/PriceSerieIndicator/?page_size=1`);
  if (status !== 200) throw new Error(`The newest indicators have status ${status}.`);
  return (service.cpu() - before) / 1000;
}

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
