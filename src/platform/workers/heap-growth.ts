import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage earlier. By default it lets garbage grow to several times the live data.
 * @param percent how much the heap may grow before a collection
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
