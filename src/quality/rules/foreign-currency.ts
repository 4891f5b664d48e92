import { isoCurrency } from '../../lib/codes/currency-aliases.js';
import { currenciesOf } from '../../lib/codes/country-currencies.js';

/** Currencies in which prices are quoted anywhere. */
const QUOTED_ANYWHERE = new Set(['USD', 'EUR']);

/**
 * Whether a currency is foreign to a country: neither one that it has or had, nor the US dollar or
 * the euro. Never where the currencies of the country are not known.
 */
export function isForeignCurrency(currency: string, iso3: string): boolean {
  if (QUOTED_ANYWHERE.has(currency)) return false;
  const own = currenciesOf(iso3);
  return own.length > 0 && !own.includes(isoCurrency(currency));
}
