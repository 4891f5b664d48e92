import { batchesOf } from '../collections/batches.js';
import type { TimeSlice } from './time-slice.js';

/** Items that are sorted at once. */
const RUN = 500;
/** Items that are merged between two looks at the time. */
const MERGED_PER_YIELD = 500;

/**
 * Sorts in steps between which other work gets its turn: short runs first, which are then merged.
 * The order of equal items is kept.
 */
export async function sortInSteps<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
  timeSlice: TimeSlice,
): Promise<T[]> {
  let runs: T[][] = [];
  for (const batch of batchesOf(items, RUN)) {
    runs.push(batch.sort(compare));
    await timeSlice.yield();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await mergeInSteps(runs[index]!, runs[index + 1] ?? [], compare, timeSlice));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeInSteps<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (one: T, other: T) => number,
  timeSlice: TimeSlice,
): Promise<T[]> {
  const merged: T[] = [];
  let [a, b] = [0, 0];
  while (a < one.length || b < other.length) {
    const takesOther = a >= one.length || (b < other.length && compare(one[a]!, other[b]!) > 0);
    merged.push(takesOther ? other[b++]! : one[a++]!);
    if (merged.length % MERGED_PER_YIELD === 0) await timeSlice.yield();
  }
  return merged;
}
