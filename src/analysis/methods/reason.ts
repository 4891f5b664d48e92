/**
 * Why a value cannot be had. Of several reasons, the first of this list counts.
 *
 * - `no_price`, `no_factor`, `no_rate`, `no_cpi`: the month has no price, or it cannot be converted
 * - `other_base`: its consumer price index has another base period, which cannot be linked to the
 *   one that real prices are in terms of
 * - `few_values`: a period with fewer values than the calculation asks for
 * - `no_price_1m_ago`, `no_price_3m_ago`, `no_price_12m_ago`: there is nothing to compare with
 * - `gap_gt_3`: more than three missing months in a row. Before `short_history`: where years are
 *   too few because months are missing, the gap is the cause
 * - `short_history`: too few years
 * - `sparse`: less than 70 % of the months have a price
 * - `flat`: the price has not changed, so that only the consumer price index moves
 * - `sd_zero`: what it is measured by does not vary
 */
export const REASONS = [
  'no_price',
  'no_factor',
  'no_rate',
  'no_cpi',
  'other_base',
  'few_values',
  'no_price_1m_ago',
  'no_price_3m_ago',
  'no_price_12m_ago',
  'gap_gt_3',
  'short_history',
  'sparse',
  'flat',
  'sd_zero',
] as const;

export type Reason = (typeof REASONS)[number];

/** A value, or the reason why there is none. */
export type Outcome<T> = T | Reason;

/** Whether an outcome is a value. */
export const isValue = <T>(outcome: Outcome<T>): outcome is Exclude<Outcome<T>, string> =>
  typeof outcome !== 'string';
