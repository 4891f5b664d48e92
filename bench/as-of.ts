import type { DataSize } from './data.js';
import type { MeasuredServer } from './processes.js';
import { compare, type Comparison, type Rounds } from './rounds.js';
import { API_BASE, RandomRequests } from './scenarios.js';
import { httpGet } from './servers.js';

/** The revision of an answer, as `as_of` takes it. */
async function revisionBefore(service: MeasuredServer, path: string): Promise<string> {
  const { headers } = await httpGet(service.port, path);
  return `r${Number(headers['data-revision']) - 1}`;
}

/** Prices of one random series in the state before the last, beside those of today. */
export async function comparePricesAsOf(
  service: MeasuredServer,
  size: DataSize,
  rounds: Rounds,
): Promise<Comparison> {
  const random = new RandomRequests(size);
  const asOf = await revisionBefore(service, random.onePrice().path);
  const today = () => ({ path: random.onePrice().path });
  const past = () => ({ path: `${random.onePrice().path}?as_of=${asOf}` });
  // Reads the series of that state, which the next requests share.
  await httpGet(service.port, past().path);
  return compare({ server: service, next: past }, { server: service, next: today }, 4, rounds);
}

/** Milliseconds until the first page of a past state that nobody has asked for before. */
export async function timeListAsOf(service: MeasuredServer): Promise<number> {
  const path = `${API_BASE}/PriceSerie/?page_size=100`;
  const number = Number((await revisionBefore(service, path)).slice(1)) - 1;
  const began = performance.now();
  const { status } = await httpGet(service.port, `${path}&as_of=r${number}`);
  if (status !== 200) throw new Error(`The list of a past state has status ${status}.`);
  return performance.now() - began;
}
