/** Day numbers, the first and the last. */
export type DayRange = readonly [first: number, last: number];
