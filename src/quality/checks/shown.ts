/** A number with as many digits as a reader needs. */
export const shown = (value: number) => String(Number(value.toPrecision(4)));

/** A range of numbers, or the number that all of them are. */
export function shownRange(values: readonly number[]): string {
  const [low, high] = [shown(Math.min(...values)), shown(Math.max(...values))];
  return low === high ? low : `${low} to ${high}`;
}
