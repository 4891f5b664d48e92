import { readFileSync } from 'node:fs';
import { percentile } from './load.js';

/*
 * Starts the service as `npm start` does, and ends it when whoever started it has gone.
 *
 * Told 'watch turns', it notes how long the main thread works between two turns of the event loop, by its processor time: what
 * other processes take from this one is not in it. Told 'tell turns', it says what it saw.
 */

/** Milliseconds of work between two turns. */
export interface Turns {
  p99: number;
  most: number;
}

/** Milliseconds between two looks while the loop is free. */
const STEP = 2;

/** Milliseconds that the main thread has worked; NaN where the system does not tell. */
function worked(): number {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
    return Number(text.split(' ')[0]) / 1e6;
  } catch {
    return NaN;
  }
}

let turns: number[] = [];
let timer: NodeJS.Timeout | null = null;

process.once('disconnect', () => process.exit(1));
process.on('message', (told) => {
  if (told === 'watch turns') {
    let before = worked();
    turns = [];
    timer = setInterval(() => {
      const now = worked();
      turns.push(now - before);
      before = now;
    }, STEP);
  } else if (told === 'tell turns') {
    clearInterval(timer!);
    turns.sort((one, other) => one - other);
    process.send!({ p99: percentile(turns, 0.99), most: turns.at(-1) ?? NaN } satisfies Turns);
  }
});
await import('../src/main.js');
