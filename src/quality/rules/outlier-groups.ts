import { grouped } from '../../lib/collections/grouped.js';
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

/**
 * Pairs of outliers of one market and month of which each would fit in the place of the other: each
 * with the one that fits best, so that there are no more pairs than outliers.
 */
export function swappedPairs<T extends Outlier>(outliers: readonly T[]): [T, T][] {
  const far = outliers.filter((outlier) => isBeyond(outlier.ratio, RULES.swapped.thresholds.ratio));
  const groups = [...grouped(far, ({ marketId, month }) => `${marketId} ${month}`).values()];
  return groups.flatMap((group) => {
    const best = group.map((one) => bestFit(one, group));
    return best.flatMap((to, from): [T, T][] => {
      // The other one has reported a pair of which each is the best for the other.
      if (to === -1 || (to < from && best[to] === from)) return [];
      return [[group[Math.min(from, to)]!, group[Math.max(from, to)]!]];
    });
  });
}

/**
 * The index of the outlier that a price may have been swapped with, of equal ones the first by uuid
 * and day; -1 where there is none.
 */
function bestFit(one: Outlier, group: readonly Outlier[]): number {
  const { log_distance } = RULES.swapped.thresholds;
  const distance = ({ value }: Outlier, { median }: Outlier) => Math.abs(Math.log(value / median));
  let [best, least] = [-1, Infinity];
  for (const [index, other] of group.entries()) {
    const [there, back] = [distance(one, other), distance(other, one)];
    if (one.commodityId === other.commodityId || there >= log_distance || back >= log_distance) continue;
    const sum = there + back;
    if (sum < least || (sum === least && isBefore(other, group[best]!))) [best, least] = [index, sum];
  }
  return best;
}

const isBefore = (one: Outlier, other: Outlier) =>
  one.uuid === other.uuid ? one.day < other.day : one.uuid < other.uuid;

/** Outliers of several series of one country, commodity and month. */
export function batches<T extends Outlier>(outliers: readonly T[]): T[][] {
  const { series, ratio } = RULES.batch.thresholds;
  const far = outliers.filter((outlier) => isBeyond(outlier.ratio, ratio));
  const groups = [
    ...grouped(far, ({ country, commodityId, month }) => `${country} ${commodityId} ${month}`).values(),
  ];
  return groups.filter((group) => seriesOf(group) >= series);
}

/** Outliers of so many series of one country and month that these may be suspect. */
export function suspectMonths<T extends Outlier>(outliers: readonly T[]): T[][] {
  const { series, ratio } = RULES.month_suspect.thresholds;
  const far = outliers.filter((outlier) => isBeyond(outlier.ratio, ratio));
  const groups = [...grouped(far, ({ country, month }) => `${country} ${month}`).values()];
  return groups.filter((group) => seriesOf(group) >= series);
}

/** How many points of a month can be tested at most, for so many outliers to make it suspect. */
export const mostTestable = (outliers: number) => outliers / RULES.month_suspect.thresholds.share;

const seriesOf = (points: readonly Outlier[]) => new Set(points.map(({ serieId }) => serieId)).size;
