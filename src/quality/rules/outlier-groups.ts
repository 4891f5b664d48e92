import { groupsBy } from './groups.js';
import { isBeyond } from './neighbours.js';
import { RULES } from './rule-table.js';

/** A monthly point that stands apart from its neighbours, whose sides agree. */
export interface Outlier {
  readonly serieId: number;
  readonly uuid: string;
  readonly country: string;
  readonly marketId: number;
  readonly market: string;
  readonly commodityId: number;
  readonly commodity: string;
  /** Day number. */
  readonly day: number;
  /** Month number. */
  readonly month: number;
  readonly value: number;
  /** Of its neighbours. */
  readonly median: number;
  /** value ÷ median */
  readonly ratio: number;
}

/** Pairs of outliers of one market and month of which each would fit in the place of the other. */
export function swappedPairs<T extends Outlier>(outliers: readonly T[]): [T, T][] {
  const { ratio, log_distance } = RULES.swapped.thresholds;
  const fits = ({ value }: Outlier, other: Outlier) =>
    Math.abs(Math.log(value / other.median)) < log_distance;
  const far = outliers.filter((outlier) => isBeyond(outlier.ratio, ratio));
  const groups = groupsBy(far, ({ marketId, month }) => `${marketId} ${month}`);
  return groups.flatMap((group) =>
    group.flatMap((one, index) =>
      group
        .slice(index + 1)
        .filter((other) => one.commodityId !== other.commodityId && fits(one, other) && fits(other, one))
        .map((other): [T, T] => [one, other]),
    ),
  );
}

/** Outliers of several series of one country, commodity and month. */
export function batches<T extends Outlier>(outliers: readonly T[]): T[][] {
  const { series, ratio } = RULES.batch.thresholds;
  const far = outliers.filter((outlier) => isBeyond(outlier.ratio, ratio));
  const groups = groupsBy(far, ({ country, commodityId, month }) => `${country} ${commodityId} ${month}`);
  return groups.filter((group) => seriesOf(group) >= series);
}

/** Outliers of so many series of one country and month that these may be suspect. */
export function suspectMonths<T extends Outlier>(outliers: readonly T[]): T[][] {
  const { series, ratio } = RULES.month_suspect.thresholds;
  const far = outliers.filter((outlier) => isBeyond(outlier.ratio, ratio));
  const groups = groupsBy(far, ({ country, month }) => `${country} ${month}`);
  return groups.filter((group) => seriesOf(group) >= series);
}

/** How many points of a month can be tested at most, for so many outliers to make it suspect. */
export const mostTestable = (outliers: number) => outliers / RULES.month_suspect.thresholds.share;

const seriesOf = (points: readonly Outlier[]) => new Set(points.map(({ serieId }) => serieId)).size;
