import { isBeyond, median, type MonthlyPoints } from './neighbours.js';
import { RULES } from './rule-table.js';

/** A series beside others of the same country, commodity, type and currency. */
export interface PeerSeries {
  /** Price × factor = price per kilogram or litre; a series without one has no peers. */
  readonly factor: number | null;
  readonly points: MonthlyPoints;
}

/** How a series compares with its peers. */
export interface PeerComparison<S> {
  readonly series: S;
  /** The median over the months of: price ÷ median of the prices of all series, itself included. */
  readonly ratio: number;
  /** In which there were enough series to compare with. */
  readonly months: number;
}

const { months: MONTHS, series: SERIES, ratio: RATIO } = RULES.off_peers.thresholds;

/** Compares each series that can be compared with all of its group, in their order. */
export function compareWithPeers<S extends PeerSeries>(group: readonly S[]): PeerComparison<S>[] {
  const measured = group.filter(({ factor }) => factor !== null);
  if (measured.length < SERIES) return [];
  // Monthly points are dated by the first day of the month, and a series has one a month.
  const pricesByDay = new Map<number, number[]>();
  for (const { points, factor } of measured) {
    for (const [index, day] of points.days.entries()) {
      const price = points.values[index]! * factor!;
      const prices = pricesByDay.get(day);
      if (prices === undefined) pricesByDay.set(day, [price]);
      else prices.push(price);
    }
  }
  const levels = new Map<number, number>();
  for (const [day, prices] of pricesByDay) if (prices.length >= SERIES) levels.set(day, median(prices));
  const comparisons: PeerComparison<S>[] = [];
  for (const series of measured) {
    const ratios: number[] = [];
    for (const [index, day] of series.points.days.entries()) {
      const level = levels.get(day);
      if (level !== undefined) ratios.push((series.points.values[index]! * series.factor!) / level);
    }
    if (ratios.length >= MONTHS) comparisons.push({ series, ratio: median(ratios), months: ratios.length });
  }
  return comparisons;
}

/** The series of a group whose level is far from that of the others. */
export const seriesOffPeers = <S extends PeerSeries>(group: readonly S[]): PeerComparison<S>[] =>
  compareWithPeers(group).filter(({ ratio }) => isBeyond(ratio, RATIO));
