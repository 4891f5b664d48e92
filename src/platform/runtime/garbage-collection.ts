import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage earlier. By default it lets garbage grow to several times the live data.
 * @param percent how much the heap may grow before a collection
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/**
 * Keeps V8 from allocating objects of requests as if they were to live long. Code whose objects
 * have outlived some collections of the young generation allocates later ones in the old
 * generation. What has become garbage there counts as alive until a full collection, with all that
 * it refers to: so the rest of each request outlives the young generation as well, and the next
 * requests do the same for good. Each collection copies them, and full ones follow one another.
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * Has the young generation collected by the main thread alone. What outlives a request is little,
 * so that waking the other threads of V8, and waiting for them, costs more than they do.
 */
export function disableParallelScavenges(): void {
  setFlagsFromString('--no-parallel-scavenge');
}
