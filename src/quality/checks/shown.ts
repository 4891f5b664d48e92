/** A number with as many digits as a reader needs. */
export const shown = (value: number) => String(Number(value.toPrecision(4)));

/** A range of numbers, or the number that all of them are. */
export function shownRange(values: readonly number[]): string {
  const low = shown(values.reduce((least, value) => Math.min(least, value), Infinity));
  const high = shown(values.reduce((most, value) => Math.max(most, value), -Infinity));
  return low === high ? low : `${low} to ${high}`;
}
