/** One number a month, oldest first, in parallel arrays; months without one are left out. */
export interface MonthlySeries {
  /** Month numbers. */
  readonly months: readonly number[];
  readonly values: readonly number[];
}

/** A step from one month to the next. */
export interface MonthlyStep {
  readonly month: number;
  readonly before: number;
  readonly value: number;
  /** The first month in which the value is again as before; null where it was not looked for. */
  readonly returned: { readonly month: number; readonly value: number } | null;
}

/**
 * The first of the months after a step in which the value is again close to that before it.
 * @param index of the value after the step
 * @param within the largest relative difference from the value before
 * @param withinMonths months after that of the step
 */
export function returnAfter(
  { months, values }: MonthlySeries,
  index: number,
  within: number,
  withinMonths: number,
): MonthlyStep['returned'] {
  const before = values[index - 1]!;
  for (let at = index + 1; at < months.length && months[at]! - months[index]! <= withinMonths; at++) {
    const ratio = values[at]! / before;
    if (ratio <= 1 + within && ratio >= 1 - within) return { month: months[at]!, value: values[at]! };
  }
  return null;
}

/** The indices of the values that follow a positive one of the month before. */
export function* stepsOf({ months, values }: MonthlySeries): Generator<number> {
  for (let index = 1; index < months.length; index++) {
    if (months[index]! - months[index - 1]! === 1 && values[index - 1]! > 0 && values[index]! > 0)
      yield index;
  }
}
