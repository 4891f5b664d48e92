import type { DataSize } from './data.js';
import { runLoad } from './load.js';
import type { Measured } from './processes.js';
import { Draw, listPage } from './scenarios.js';
import type { Turns } from './served.js';
import { ask } from './servers.js';

/** Requests a second beside the long answer. */
const RATE = 100;
/** Series of the long answer. */
const LONG = 500;

export interface MixedFigures {
  /** Milliseconds of delay of the event loop at the 99th percentile: of the service, and of an idle process on the same core. */
  delay: number;
  idleDelay: number;
  /** Milliseconds of processor time of the service's main thread between two turns of its event loop. */
  turns: Turns;
  /** Of the short requests, in milliseconds. */
  p50: number;
  p99: number;
  /** Long answers finished meanwhile, and their megabytes. */
  longAnswers: number;
  longMegabytes: number;
  unexpected: Record<string, number>;
}

/**
 * Lists, repeated pages and single prices at a steady rate, while one client reads the prices of 500 series as CSV, again and
 * again, never the same ones.
 */
export async function measureMixed(
  service: Measured,
  floor: Measured,
  size: DataSize,
  duration: number,
): Promise<MixedFigures> {
  const draw = new Draw(size);
  const long = { count: 0, bytes: 0 };
  const end = performance.now() + duration;
  // Asking for the figures begins a new measurement of them.
  await Promise.all([eventLoopDelay(service), ask(floor.port, '/delay')]);
  service.child.send('watch turns');
  const readLong = async () => {
    while (performance.now() < end) {
      const { status, body } = await ask(service.port, draw.prices(LONG, undefined, 'format=csv&').path);
      if (status !== 200) throw new Error(`The long answer has status ${status}.`);
      long.count++;
      long.bytes += body.length;
    }
  };
  const short = runLoad({
    port: service.port,
    next: () => (draw.chance(0.4) ? { path: listPage } : draw.chance(0.7) ? draw.filters() : draw.onePrice()),
    connections: 16,
    duration,
    rate: RATE,
  });
  const [{ p50, p99, unexpected }] = await Promise.all([short, readLong()]);
  const told = new Promise<Turns>((resolve) =>
    service.child.once('message', (turns) => resolve(turns as Turns)),
  );
  service.child.send('tell turns');
  const turns = await told;
  const delay = await eventLoopDelay(service);
  const idleDelay = Number((await ask(floor.port, '/delay')).body.toString());
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

/** The 99th percentile since the last look, in milliseconds. */
async function eventLoopDelay({ port }: Measured): Promise<number> {
  const text = (await ask(port, '/metrics')).body.toString();
  const found = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text);
  if (found === null) throw new Error('/metrics does not tell the delay of the event loop.');
  return Number(found[1]) * 1000;
}
