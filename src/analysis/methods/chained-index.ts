import type { MonthlyColumn } from './monthly-column.js';

/** Months that a link may span: two prices further apart say little about the months between. */
const MAX_LINK = 12;
/** The value at the beginning of each segment. */
const BEGIN = 100;

/** A period of a chained index. */
export interface IndexPoint {
  /** The first month of the period. */
  month: number;
  /** NaN where fewer series than a link needs have a price. */
  value: number;
  /** The periods of one segment can be compared; numbered from 1. Null where there is no value. */
  segment: number | null;
  /** The period that the value is linked to; null where a segment begins. */
  linkedFrom: number | null;
  /** Series with a price in both periods; null where a segment begins. */
  matched: number | null;
}

/** Which periods of a group are calculated. */
export interface Periods {
  /** The first months of the first and of the last period. */
  first: number;
  last: number;
  /** Months of a period: 1, 3 or 12. */
  months: number;
}

/**
 * The chained Jevons index of the prices of a group of series, oldest period first:
 *
 *     I(t) = I(s) × geometric mean of p(t) ÷ p(s)
 *
 * over the series with a price in both t and s. s is the latest period before t, by at most twelve
 * months, with at least `minMatched` such series. Where there is none, a segment begins at 100. A
 * period in which fewer series than `minMatched` have a price can be linked to no other one, and
 * has no value.
 *
 * Only prices of one series are compared with each other, so the index neither moves when series
 * come and go, nor depends on the units of their prices.
 *
 * Source: International Monetary Fund and others, "Consumer Price Index Manual: Concepts and
 * Methods", Washington 2020 (Jevons index, chained indices of matched prices).
 * @param columns the prices of each series, a value in the first month of each period
 * @param minMatched at least 1
 */
export function* chainedIndex(
  columns: readonly MonthlyColumn[],
  { first, last, months }: Periods,
  minMatched: number,
): Generator<IndexPoint, void> {
  const points: IndexPoint[] = [];
  let segments = 0;
  for (let month = first; month <= last; month += months) {
    const point: IndexPoint = { month, value: NaN, segment: null, linkedFrom: null, matched: null };
    if (countAt(columns, month) >= minMatched) {
      const link = latestLink(columns, points, month, minMatched);
      if (link === null) {
        point.value = BEGIN;
        point.segment = ++segments;
      } else {
        const { from, matched, ratio } = link;
        Object.assign(point, { value: from.value * ratio, segment: from.segment, matched });
        point.linkedFrom = from.month;
      }
    }
    points.push(point);
    yield point;
  }
}

/** A period that another one can be linked to. */
interface Link {
  from: IndexPoint;
  matched: number;
  /** The geometric mean of the ratios of the prices. */
  ratio: number;
}

function latestLink(
  columns: readonly MonthlyColumn[],
  points: readonly IndexPoint[],
  month: number,
  minMatched: number,
): Link | null {
  for (let index = points.length - 1; index >= 0; index--) {
    const from = points[index]!;
    if (month - from.month > MAX_LINK) return null;
    if (from.segment === null) continue;
    let matched = 0;
    let logarithms = 0;
    for (const column of columns) {
      const ratio = column.at(month) / column.at(from.month);
      if (!(ratio > 0)) continue;
      matched++;
      logarithms += Math.log(ratio);
    }
    if (matched >= minMatched) return { from, matched, ratio: Math.exp(logarithms / matched) };
  }
  return null;
}

function countAt(columns: readonly MonthlyColumn[], month: number): number {
  let count = 0;
  for (const column of columns) if (column.has(month)) count++;
  return count;
}
