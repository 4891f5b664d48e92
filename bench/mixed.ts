import type { DataSize } from './data.js';
import { runLoad } from './load.js';
import { type LoopIterationTimes, whileMeasured } from './loop-iterations.js';
import type { MeasuredServer } from './processes.js';
import { RandomRequests, listPage } from './scenarios.js';
import { httpGet } from './servers.js';

/** Short requests per second. */
const RATE = 100;
/** Series of a long reply. */
const LONG = 500;

export interface MixedLoadMetrics {
  /**
   * Milliseconds of event loop delay at the 99th percentile: of the service, and of an idle process
   * on the same core.
   */
  delay: number;
  idleDelay: number;
  /** Processor time of the service's main thread per iteration of its event loop. */
  turns: LoopIterationTimes;
  /** Of the short requests, in milliseconds. */
  p50: number;
  p99: number;
  /** Long replies finished meanwhile, and their megabytes. */
  longAnswers: number;
  longMegabytes: number;
  unexpected: Record<string, number>;
}

/**
 * Measures lists, repeated pages and single prices at a steady rate, while one client reads the
 * prices of 500 series as CSV in a loop, never the same ones.
 */
export async function measureMixed(
  service: MeasuredServer,
  floor: MeasuredServer,
  size: DataSize,
  duration: number,
): Promise<MixedLoadMetrics> {
  const random = new RandomRequests(size);
  const long = { count: 0, bytes: 0 };
  const end = performance.now() + duration;
  // Reading a delay also resets its measurement.
  await Promise.all([eventLoopDelay(service), httpGet(floor.port, '/delay')]);
  const readLong = async () => {
    while (performance.now() < end) {
      const { status, body } = await httpGet(
        service.port,
        random.prices(LONG, undefined, 'format=csv&').path,
      );
      if (status !== 200) throw new Error(`The long reply has status ${status}.`);
      long.count++;
      long.bytes += body.length;
    }
  };
  const short = () =>
    runLoad({
      port: service.port,
      next: () =>
        random.chance(0.4) ? { path: listPage } : random.chance(0.7) ? random.filters() : random.onePrice(),
      connections: 16,
      duration,
      rate: RATE,
    });
  const [[{ p50, p99, unexpected }], turns] = await whileMeasured(service, () =>
    Promise.all([short(), readLong()]),
  );
  const delay = await eventLoopDelay(service);
  const idleDelay = Number((await httpGet(floor.port, '/delay')).body.toString());
  return {
    delay,
    idleDelay,
    turns,
    p50,
    p99,
    longAnswers: long.count,
    longMegabytes: long.bytes / 2 ** 20,
    unexpected,
  };
}

/** The 99th percentile since it was last read, in milliseconds. */
async function eventLoopDelay({ port }: MeasuredServer): Promise<number> {
  // The management port follows the port by default.
  const text = (await httpGet(port + 1, '/metrics')).body.toString();
  const found = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text);
  if (found === null) throw new Error('/metrics does not report the delay of the event loop.');
  return Number(found[1]) * 1000;
}
