import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { percentile } from './load.js';
import { closeConnections, type Outcome, timedGet } from './timed-get.js';

/*
 * A client that reads light pages that no cache holds, in a thread of its own: `bench/strangers.ts`
 * measures with it what a stranger does to others.
 */

/** Light reads per second. */
export const LIGHT_RATE = 25;

export interface LightReadsOptions {
  port: number;
  /** Milliseconds. */
  duration: number;
  /** The address that it reads from. */
  client: string;
  /** Number of its first request: no other has it, so that no cache holds the reply. */
  first: number;
}

export interface LightReads {
  /** Milliseconds. */
  p95: number;
  /** Reads that were not answered with 200. */
  lost: number;
}

async function lightReads({ port, duration, client, first }: LightReadsOptions): Promise<LightReads> {
  const end = performance.now() + duration;
  const sent: Promise<Outcome>[] = [];
  while (performance.now() < end) {
    sent.push(timedGet(port, client, `/api/v1/PriceSerie/?page_size=10&_=${first + sent.length}`));
    await sleep(1000 / LIGHT_RATE);
  }
  const outcomes = await Promise.all(sent);
  const answered = outcomes.filter(({ status }) => status === 200);
  const times = answered.map(({ ms }) => ms).sort((one, other) => one - other);
  return { p95: percentile(times, 0.95), lost: outcomes.length - answered.length };
}

if (!isMainThread) {
  parentPort!.postMessage(await lightReads(workerData as LightReadsOptions));
  closeConnections();
}
