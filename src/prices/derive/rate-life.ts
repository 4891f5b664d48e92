import { lifeRelation, type LifeRelation } from '../../lib/codes/currency-lives.js';
import { dayFromIso, isoFromDay, lastDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import type { FxRate } from '../../reference/fx-rate/fx-rate.entity.js';

type DatedRate = Pick<FxRate, 'currency' | 'period' | 'date'>;

/**
 * How a rate relates to the life of its currency's code. A monthly one is about the whole month.
 */
export function rateLife({ currency, period, date }: DatedRate): LifeRelation {
  const last = period === 'monthly' ? isoFromDay(lastDayOfMonth(monthOf(dayFromIso(date)!))) : date;
  return lifeRelation(currency, date, last);
}

/**
 * Whether prices may be converted with a rate: not where its code was not valid, unless sources
 * restate the code's earlier years in its unit.
 */
export const isUsableRate = (rate: DatedRate): boolean => rateLife(rate) !== 'outside';
