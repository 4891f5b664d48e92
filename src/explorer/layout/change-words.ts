import { unsignedPercent } from '../../web/numbers.js';
import { texts } from '../texts.js';

/**
 * How much a price has changed since a month or a year before, in words.
 * @param change as a fraction of 1
 */
export function changeWords(change: number, since: 'month' | 'year'): string {
  const share = unsignedPercent(Math.abs(change));
  const { more, less, same, before } = texts.priceChange;
  if (share === unsignedPercent(0)) return same(before[since]);
  return (change > 0 ? more : less)(share, before[since]);
}
