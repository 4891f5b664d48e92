import { median } from './neighbours.js';
import { RULES } from './rule-table.js';

const { below, plausible } = RULES.rate_inverted.thresholds;

/** Whether a rate is so small that it may be dollars for a unit of the currency. */
export const isSmallRate = (rate: number): boolean => rate < below;

/** What prices of food cost with a rate, and with its reciprocal. */
interface InvertedRate {
  /** Dollars a kilogram or litre, in the median of the series. */
  readonly dollars: number;
  /** The same with the reciprocal. */
  readonly reciprocal: number;
}

/**
 * Whether the prices of food in a currency are nearer to a dollar with the reciprocals of its rates
 * than with the rates, and plausible with them.
 * @param rate units for a dollar, in the median
 * @param prices in the currency a kilogram or litre, one of each series
 * @returns null where the rate fits better, or there are no prices to tell
 */
export function invertedRate(rate: number, prices: readonly number[]): InvertedRate | null {
  if (!isSmallRate(rate) || prices.length === 0) return null;
  const price = median(prices);
  const [dollars, reciprocal] = [price / rate, price * rate];
  const distance = (value: number) => Math.abs(Math.log(value));
  if (distance(reciprocal) >= distance(dollars) || distance(reciprocal) > Math.log(plausible)) return null;
  return { dollars, reciprocal };
}
