import type { MonthlyColumn } from './monthly-column.js';

/** The names of transformations: those of FRED, and `index`. */
export const TRANSFORMATIONS = [
  'lin',
  'chg',
  'ch1',
  'pch',
  'pc1',
  'pca',
  'cch',
  'cca',
  'log',
  'index',
] as const;
export type Transformation = (typeof TRANSFORMATIONS)[number];

/**
 * Transforms one value of a series with `perYear` values a year.
 *
 *     lin    x                            chg    x − x₁
 *     ch1    x − xₙ                       pch    100 (x ÷ x₁ − 1)
 *     pc1    100 (x ÷ xₙ − 1)             pca    100 ((x ÷ x₁)ⁿ − 1)
 *     cch    100 (ln x − ln x₁)           cca    n × cch
 *     log    ln x                         index  100 x ÷ base
 *
 * Source: Federal Reserve Bank of St. Louis, FRED help, "What formulas are used to calculate growth
 * rates?".
 * @param value x
 * @param before x₁, the value one period earlier; NaN if there is none
 * @param yearAgo xₙ, the value one year earlier; NaN if there is none
 * @param base the value that is 100; NaN if there is none
 * @returns NaN where a value that it needs is missing
 */
export function transformed(
  transformation: Transformation,
  value: number,
  before: number,
  yearAgo: number,
  perYear: number,
  base = NaN,
): number {
  switch (transformation) {
    case 'lin':
      return value;
    case 'chg':
      return value - before;
    case 'ch1':
      return value - yearAgo;
    case 'pch':
      return 100 * (value / before - 1);
    case 'pc1':
      return 100 * (value / yearAgo - 1);
    case 'pca':
      return 100 * ((value / before) ** perYear - 1);
    case 'cch':
      return 100 * (Math.log(value) - Math.log(before));
    case 'cca':
      return perYear * transformed('cch', value, before, yearAgo, perYear);
    case 'log':
      return Math.log(value);
    case 'index':
      return (100 * value) / base;
  }
}

/** Transforms a month of a monthly series. @param base the value that is 100, for `index` */
export function transformedMonth(
  transformation: Transformation,
  column: MonthlyColumn,
  month: number,
  base = NaN,
): number {
  const at = (offset: number) => column.at(month - offset);
  return transformed(transformation, at(0), at(1), at(12), 12, base);
}
