import type { FindingScope, Severity } from '../../ledger/findings/finding.js';

/** A rule, as `FindingRule/` and the documentation show it. */
export interface Rule {
  readonly severity: Severity;
  readonly scope: FindingScope;
  /** When it holds, with the names of its thresholds. */
  readonly description: string;
  readonly thresholds: Readonly<Record<string, number>>;
}

const rule = <S extends FindingScope, T extends Record<string, number>>(
  severity: Severity,
  scope: S,
  description: string,
  thresholds: T,
) => ({ severity, scope, description, thresholds });

/** How the neighbours of a point are chosen. */
const NEIGHBOURS = { each_side: 3, within_months: 6, at_least: 3, sides_agree_within: 2 };

/** Years in which dates are expected. */
const DATE_RANGE = { from_year: 1950, years_ahead: 1 };

/** Every rule, with its thresholds. */
export const RULES = {
  spike: rule(
    'error',
    'point',
    'A price is `ratio` times the median of its neighbours, or a `ratio`-th of it, and the medians of the prices before and after it agree.',
    { ratio: 5, ...NEIGHBOURS },
  ),
  spike_possible: rule(
    'look',
    'point',
    'As `spike`, from `ratio` on; for vegetables and fruits from `ratio_fresh` on.',
    { ratio: 3, ratio_fresh: 4, ...NEIGHBOURS },
  ),
  decimal_slip: rule(
    'error',
    'point',
    'Beside `spike`: the ratio is within `tolerance` of a power of ten, by which the expected price is divided.',
    { tolerance: 0.15 },
  ),
  swapped: rule(
    'error',
    'group',
    'Two prices of one market and month, of different commodities, are each `ratio` times the median of their neighbours or a `ratio`-th of it, and each is within a factor e^`log_distance` of the median of the other. Each price is told with the one that fits best.',
    { ratio: 3, log_distance: 0.35, ...NEIGHBOURS },
  ),
  batch: rule(
    'error',
    'group',
    'At least `series` series of one country, commodity and month are `ratio` times the median of their neighbours or a `ratio`-th of it.',
    { series: 3, ratio: 2.5, ...NEIGHBOURS },
  ),
  month_suspect: rule(
    'error',
    'group',
    'At least `series` series of one country and month are `ratio` times the median of their neighbours or a `ratio`-th of it, and at least `share` of those that can be tested.',
    { series: 5, share: 0.05, ratio: 2.5, ...NEIGHBOURS },
  ),
  edge_spike: rule(
    'look',
    'point',
    'The first or last price of a series of at least `points` is `ratio` times the median of the `next` prices beside it or a `ratio`-th of it; these are within `within_months` of it, and the highest is less than `spread` times the lowest.',
    { points: 4, ratio: 3, next: 3, within_months: 6, spread: 1.5 },
  ),
  level_shift: rule(
    'look',
    'point',
    'The medians of up to `each_side` prices from a price on and before it, at least `at_least` on each side and within `within_months`, differ by `ratio`; each later price is `separation` times each earlier one, or less than a `separation`-th; the step itself is at least `step` within `step_months`.',
    {
      at_least: 4,
      each_side: 6,
      within_months: 8,
      ratio: 2.5,
      separation: 1.5,
      step: 2,
      step_months: 3,
    },
  ),
  redenomination: rule(
    'error',
    'group',
    "Of a country's series in one currency with prices in two months in a row, at least `series`, at least `share` move by within `tolerance` of a power of ten.",
    { series: 2, share: 0.5, tolerance: 0.15 },
  ),
  flat: rule('info', 'point', 'The price has been the same for the last `months` months or longer.', {
    months: 24,
  }),
  off_peers: rule(
    'look',
    'series',
    'The median over at least `months` months of the price per base unit divided by the median of all series, at least `series`, of the same country, commodity, type and currency is `ratio` or more, or a `ratio`-th or less.',
    { months: 6, series: 4, ratio: 3 },
  ),
  split_series: rule(
    'look',
    'group',
    'Series of the same market, commodity and type in two units or two currencies.',
    {},
  ),
  foreign_currency: rule('look', 'series', 'The currency is neither that of the country nor USD or EUR.', {}),
  twin_currency: rule(
    'error',
    'group',
    'Of two series that differ in currency only, one has prices within the span of the other that fit its level: a step to or from one is within `tolerance`.',
    { tolerance: 0.3 },
  ),
  identical_series: rule(
    'look',
    'group',
    'Two series of one country, type and currency are equal, with at least `points` prices and `values` different values.',
    { points: 12, values: 6 },
  ),
  not_a_commodity: rule(
    'info',
    'series',
    'By its name the commodity is an exchange rate or a wage: summaries and aggregates leave the series out.',
    {},
  ),
  rate_outside_currency_life: rule(
    'error',
    'rate',
    'A rate of a code before it began or after it ended. Of a code that the source converts back it is `info`.',
    {},
  ),
  rate_step: rule(
    'look',
    'rate',
    'A monthly rate moves by `step` or more and is within `return` of before in `return_months`; or it moves `leap` times or more.',
    { step: 0.3, return: 0.15, return_months: 3, leap: 10 },
  ),
  rate_frozen: rule(
    'look',
    'rate',
    '`rates` official monthly rates are within `within`, while the general index of a country that uses the currency rose by `index_rise` or more.',
    { rates: 13, within: 0.005, index_rise: 0.15 },
  ),
  index_break: rule(
    'look',
    'index',
    'The logarithm of an index moves by more than `log_step` and is within `return` of before in `return_months`; or a new base period has fewer months than the one before.',
    { log_step: 0.15, return: 0.15, return_months: 3 },
  ),
  index_interpolated: rule(
    'info',
    'index',
    '`steps` or more steps in a row have second differences below `below` of the value.',
    { steps: 6, below: 1e-5 },
  ),
  rate_inverted: rule(
    'look',
    'rate',
    'Official rates below `below` with which food costs more dollars a kilogram or litre than with their reciprocals, of which the median is within a factor `plausible` of one dollar: the source may quote dollars for a unit of the currency.',
    { below: 0.2, plausible: 50 },
  ),
  rate_date_out_of_range: rule(
    'look',
    'rate',
    'Rates are dated before the year `from_year`, or more than `years_ahead` years after the running one.',
    DATE_RANGE,
  ),
  index_level: rule(
    'look',
    'index',
    'The mean of the months of the base period of an index is not between `base_from` and `base_to` (`months_from` and `months_to` where some are missing); its median after the base period is below `after_base`; it begins above `high_from`, to which it has risen `pace` times as fast as it moves; or it has `steps` steps or more, of which the median is above `log_step` in logarithms and a third turn back.',
    {
      base_from: 90,
      base_to: 115,
      months_from: 33,
      months_to: 300,
      after_base: 50,
      high_from: 500,
      pace: 3,
      steps: 6,
      log_step: 0.08,
    },
  ),
  index_date_out_of_range: rule(
    'look',
    'index',
    'Indices are dated before the year `from_year`, or more than `years_ahead` years after the running one.',
    DATE_RANGE,
  ),
  date_out_of_range: rule(
    'look',
    'series',
    'Prices are dated before the year `from_year`, or more than `years_ahead` years after the running one.',
    DATE_RANGE,
  ),
  position_outside: rule(
    'look',
    'group',
    'A market is `degrees` or more away from the boxes that the land of its country is in.',
    { degrees: 0.5 },
  ),
  near_duplicate: rule(
    'look',
    'group',
    'The names of two records, of markets within one country, are equal but for letter case, accents, blanks and punctuation, or differ by one letter and have `letters` or more.',
    { letters: 6 },
  ),
  future_date: rule(
    'error',
    'point',
    'A price is dated after the end of the running period, which ends when it has ended everywhere (UTC+14).',
    {},
  ),
  unknown_unit: rule('look', 'group', 'An import has created a unit without a factor.', {}),
  unknown_type: rule('look', 'group', 'An import has created a price type.', {}),
  harvest_failed: rule('error', 'harvest', 'The last `runs` runs of a harvest or more have failed.', {
    runs: 4,
  }),
  harvest_held: rule(
    'look',
    'harvest',
    'A file of a harvest looks wrong, and is held until somebody has it imported or dismisses it.',
    {},
  ),
  source_late: rule(
    'look',
    'harvest',
    'No new file has come from a source within the expected interval and lag of its harvest, or else values of none of its countries and frequencies in the time that nine of ten releases take.',
    {},
  ),
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;

export const RULE_NAMES: readonly string[] = Object.keys(RULES);

/** The rules whose findings are about a harvest. */
export type HarvestRule = {
  [Name in RuleName]: (typeof RULES)[Name]['scope'] extends 'harvest' ? Name : never;
}[RuleName];

export const HARVEST_RULES = Object.entries(RULES).flatMap(([name, { scope }]) =>
  scope === 'harvest' ? [name as HarvestRule] : [],
);
