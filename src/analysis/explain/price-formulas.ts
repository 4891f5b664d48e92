import type { Measure, Per } from '../price-columns.js';

/** How a monthly price is made from what is stored. */
export const PRICE_FORMULAS = {
  price_value: 'mean of price_value × factor of stored_points',
  price_value_dollar: 'price_value ÷ rate; rate = units × mean of rate of rows (1 where there are none)',
  price_value_real: 'price_value × 100 ÷ (value × factor of link of index; factor 1 where link is null)',
} as const;

const MEASURE_FORMULAS: Record<Measure, string> = {
  nominal: 'price_value',
  real: 'price_value_real',
  usd: 'price_value_dollar',
  real_usd: 'price_value_dollar × 100 ÷ (value × factor of link of us_index)',
};

/** How the value of a month is made from its prices. */
export const valueFormula = (measure: Measure, per: Per): string =>
  `${MEASURE_FORMULAS[measure]}${per === 'base' ? ' × unit_factor' : ''}`;
