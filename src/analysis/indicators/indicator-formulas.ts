import { PRICE_FORMULAS, valueFormula } from '../explain/price-formulas.js';
import type { Per } from '../price-columns.js';
import type { IndicatorField } from './indicator-fields.js';
import type { IndicatorSettings } from './indicator-settings.js';

const CHANGE = 'price ÷ before − 1';

/** How each indicator is made, in the names of its explanation. */
const FIELD_FORMULAS: Record<Exclude<IndicatorField, 'ifpa' | 'alps'>, string> = {
  value: 'price',
  change_1m: CHANGE,
  change_3m: CHANGE,
  change_12m: CHANGE,
  mean_5y: 'Σ prices ÷ n',
  mean_5y_years: 'n',
  against_mean_5y: 'price ÷ mean − 1; mean = Σ prices ÷ n',
  seasonal_index:
    'mean of the calendar month × 12 ÷ Σ means of the twelve; mean = Σ ratio ÷ number of ratios; ' +
    'ratio = value ÷ moving_average; moving_average = (½ value(t − 6) + value(t − 5) + … + value(t + 5) + ' +
    '½ value(t + 6)) ÷ 12',
  volatility_12m: '√(Σ (log_change − mean)² ÷ (n − 1)); log_change = ln value − ln before',
};

const IFPA =
  'γ × score of quarterly + (1 − γ) × score of annual; score = (growth_rate − mean) ÷ sd; ' +
  'growth_rate = (value ÷ before)^(1 ÷ months) − 1; mean = Σ weight × growth_rate of history; ' +
  'sd = √(Σ weight × (growth_rate − mean)² ÷ ((n − 1) ÷ n)); weight = rank ÷ Σ ranks, the oldest year 1; ' +
  'a growth_rate that is null adds nothing; values are price_value_real';

const alpsFormula = (per: Per) =>
  '(value − expected) ÷ sd; of the calendar month, expected = price + alpha × (t − its t) + ' +
  'step × (after_break − its after_break); t counts months from first_month; alpha and step by least squares of ' +
  'the deviations from the means of each calendar month; sd = √(Σ (value − expected)² ÷ (n − 1)) of the fitted ' +
  `months; values are ${valueFormula('nominal', per)}`;

/** The formulas of some indicators and of the prices under them, in words. */
export function indicatorFormulas(
  fields: readonly IndicatorField[],
  { measure, per }: IndicatorSettings,
  annual: boolean,
): Record<string, string> {
  const formulas = { ...FIELD_FORMULAS, ifpa: IFPA, alps: alpsFormula(per) };
  const named = annual ? (['ifpa'] as const) : fields;
  return {
    ...PRICE_FORMULAS,
    price: valueFormula(measure, per),
    ...(annual ? { year: 'mean of value of ifpa of the months' } : {}),
    ...Object.fromEntries(named.map((field) => [field, formulas[field]])),
  };
}
