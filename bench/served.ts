import { readFileSync } from 'node:fs';
import { percentile } from './load.js';
import type { LoopIterationTimes } from './loop-iterations.js';

/*
 * Starts the service as `npm start` does, and exits when its parent process does.
 *
 * After the message 'measure', it measures how long the main thread works per iteration of the
 * event loop, in processor time, which excludes what other processes take. After 'report', it sends
 * the result.
 */

/** Milliseconds between two measurements while the loop is idle. */
const STEP = 2;

/** Milliseconds of processor time of the main thread; NaN where the system does not provide it. */
function mainThreadCpu(): number {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
    return Number(text.split(' ')[0]) / 1e6;
  } catch {
    return NaN;
  }
}

let iterations: number[] = [];
let timer: NodeJS.Timeout | null = null;

process.once('disconnect', () => process.exit(1));
process.on('message', (message) => {
  if (message === 'measure') {
    let before = mainThreadCpu();
    iterations = [];
    timer = setInterval(() => {
      const now = mainThreadCpu();
      iterations.push(now - before);
      before = now;
    }, STEP);
  } else if (message === 'report') {
    clearInterval(timer!);
    iterations.sort((one, other) => one - other);
    process.send!({
      p99: percentile(iterations, 0.99),
      most: iterations.at(-1) ?? NaN,
    } satisfies LoopIterationTimes);
  }
});
await import('../src/main.js');
