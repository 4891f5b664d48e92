/** What values are transformed to: names of FRED, and `index`. */
export const TRANSFORMATIONS = ['chg', 'pch', 'pc1', 'pca', 'cch', 'log', 'index'] as const;
/** `lin` leaves them as they are. */
export type Transformation = (typeof TRANSFORMATIONS)[number] | 'lin';

/**
 * Transforms one value of a series with `perYear` values a year.
 *
 *     lin    x                            chg    x − x₁
 *     pch    100 (x ÷ x₁ − 1)             pc1    100 (x ÷ xₙ − 1)
 *     pca    100 ((x ÷ x₁)ⁿ − 1)          cch    100 (ln x − ln x₁)
 *     log    ln x                         index  100 x ÷ base
 *
 * `lin` and `chg` are in the unit of the values, the others without unit; `pch`, `pc1` and `pca`
 * are in percent, `cch` in hundredths of a natural logarithm.
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
    case 'pch':
      return 100 * (value / before - 1);
    case 'pc1':
      return 100 * (value / yearAgo - 1);
    case 'pca':
      return 100 * ((value / before) ** perYear - 1);
    case 'cch':
      return 100 * (Math.log(value) - Math.log(before));
    case 'log':
      return Math.log(value);
    case 'index':
      return (100 * value) / base;
  }
}
