import type { MeasuredServer } from './processes.js';

/** Milliseconds of processor time of the main thread per iteration of the event loop. */
export interface LoopIterationTimes {
  p99: number;
  most: number;
}

/** Measures how long the service works per iteration of its event loop, as `served.ts` does it. */
export async function whileMeasured<T>(
  { child }: MeasuredServer,
  work: () => Promise<T>,
): Promise<[result: T, iterations: LoopIterationTimes]> {
  child.send('measure');
  const result = await work();
  const reported = new Promise<LoopIterationTimes>((resolve) =>
    child.once('message', (iterations) => resolve(iterations as LoopIterationTimes)),
  );
  child.send('report');
  return [result, await reported];
}
