/** The arithmetic mean; NaN of nothing. */
export function meanOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** The sample standard deviation, with divisor n − 1; NaN of fewer than two values. */
export function sampleDeviation(values: readonly number[]): number {
  const mean = meanOf(values);
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return values.length < 2 ? NaN : Math.sqrt(squares / (values.length - 1));
}
