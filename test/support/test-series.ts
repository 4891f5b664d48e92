import { MonthlyColumn } from '../../src/analysis/methods/monthly-column.js';

/** The month number of a year and a calendar month from 1. */
export const monthNumber = (year: number, month: number): number => year * 12 + month - 1;

/** Prices of six years without gaps, from which the examples of the methods are calculated. */
export const S1_VALUES: readonly number[] = [
  [187, 197, 214, 217, 217, 227, 229, 216, 177, 158, 175, 190],
  [216, 223, 222, 220, 244, 239, 227, 207, 196, 192, 195, 200],
  [208, 223, 244, 255, 252, 272, 253, 226, 178, 166, 178, 197],
  [244, 241, 250, 239, 242, 254, 248, 235, 214, 197, 209, 211],
  [237, 238, 253, 261, 280, 280, 285, 257, 234, 221, 231, 233],
  [251, 260, 283, 284, 311, 332, 330, 299, 247, 218, 221, 231],
].flat();

/** January 2018. */
export const S1_FIRST = monthNumber(2018, 1);

/** A column of consecutive months; null for a missing one. */
export function columnFrom(first: number, values: readonly (number | null)[]): MonthlyColumn {
  return new MonthlyColumn(
    first,
    Float64Array.from(values, (value) => value ?? NaN),
  );
}

/** S1 without the months of these numbers, the first being 1. */
export const s1 = (...missing: number[]): MonthlyColumn =>
  columnFrom(
    S1_FIRST,
    S1_VALUES.map((value, index) => (missing.includes(index + 1) ? null : value)),
  );
