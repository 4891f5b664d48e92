import { currencyLife } from '../../lib/codes/currency-lives.js';
import type { FxRate } from '../../reference/fx-rate/fx-rate.entity.js';
import { rateLife } from '../../prices/derive/rate-life.js';

/** What is wrong with a rate outside the life of its currency's code. */
interface RateOutsideLife {
  /** `info` where sources give the earlier years in the unit of the code: these may be used. */
  readonly severity: 'error' | 'info';
  readonly detail: string;
}

/** What is wrong with a rate whose code had not begun or had ended; null where nothing is. */
export function rateOutsideCurrencyLife(
  rate: Pick<FxRate, 'currency' | 'period' | 'date'>,
): RateOutsideLife | null {
  const relation = rateLife(rate);
  if (relation === 'within') return null;
  const { currency, date } = rate;
  const { from, to } = currencyLife(currency)!;
  if (relation === 'converted_back')
    return {
      severity: 'info',
      detail: `${currency} began on ${from}: the rate of ${date} is the former currency's, converted to its unit.`,
    };
  const ended = to !== null && date > to;
  return {
    severity: 'error',
    detail: `${currency} ${ended ? `ended on ${to}` : `began on ${from}`}: the rate of ${date} must be that of another currency, and is not used.`,
  };
}
