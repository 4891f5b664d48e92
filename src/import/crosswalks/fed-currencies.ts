import currencies from './fed-currencies.json' with { type: 'json' };

/*
 * Currencies of the country names in the Federal Reserve's H.10 release. In this form of the table
 * all rates are units of the currency per US dollar. Those of euro members end in 2001.
 */
const CURRENCIES = new Map(Object.entries(currencies));

/*
 * Venezuela's rates follow its redenominations: up to August 2018 they are in bolívares fuertes
 * (those before 2008 were restated), up to October 2021 in soberanos, then in digitales. A single
 * code would have jumps of 10^5 and 10^6.
 */
const VENEZUELA = [
  { until: '2018-08-01', currency: 'VEF' },
  { until: '2021-10-01', currency: 'VES' },
  { until: '9999-12-01', currency: 'VED' },
] as const;

/** The currency of a country name of the release, or null. `month` is its first day. */
export function fedCurrency(name: string, month: string): string | null {
  if (name === 'Venezuela') return VENEZUELA.find(({ until }) => month <= until)?.currency ?? null;
  return CURRENCIES.get(name) ?? null;
}
