import { isBeyond, median, type MonthlyPoints } from './neighbours.js';
import { RULES } from './rule-table.js';

/** A series beside others of the same country, commodity, type and currency. */
interface PeerSeries {
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

/** The prices per base unit of some series in each month, from the first month on. */
interface MonthlyPrices {
  readonly firstMonth: number;
  readonly prices: readonly (readonly number[])[];
}

/** A series has one price a month. */
function pricesByMonth(measured: readonly PeerSeries[]): MonthlyPrices {
  let firstMonth = Infinity;
  let lastMonth = -Infinity;
  for (const { points } of measured) {
    firstMonth = Math.min(firstMonth, points.months[0] ?? Infinity);
    lastMonth = Math.max(lastMonth, points.months.at(-1) ?? -Infinity);
  }
  const prices = Array.from({ length: Math.max(0, lastMonth - firstMonth + 1) }, (): number[] => []);
  for (const { points, factor } of measured) {
    const { months, values } = points;
    for (let index = 0; index < months.length; index++)
      prices[months[index]! - firstMonth]!.push(values[index]! * factor!);
  }
  return { firstMonth, prices };
}

/** Compares each series that can be compared with all of its group, in their order. */
export function compareWithPeers<S extends PeerSeries>(group: readonly S[]): PeerComparison<S>[] {
  const measured = group.filter(({ factor }) => factor !== null);
  if (measured.length < SERIES) return [];
  return compare(measured, pricesByMonth(measured));
}

function compare<S extends PeerSeries>(
  measured: readonly S[],
  { firstMonth, prices }: MonthlyPrices,
): PeerComparison<S>[] {
  const levels = prices.map((ofMonth) => (ofMonth.length < SERIES ? null : median(ofMonth)));
  const comparisons: PeerComparison<S>[] = [];
  for (const series of measured) {
    const { months, values } = series.points;
    const ratios: number[] = [];
    for (let index = 0; index < months.length; index++) {
      const level = levels[months[index]! - firstMonth]!;
      if (level !== null) ratios.push((values[index]! * series.factor!) / level);
    }
    if (ratios.length >= MONTHS) comparisons.push({ series, ratio: median(ratios), months: ratios.length });
  }
  return comparisons;
}

/** The series of a group whose level is far from that of the others. */
export function seriesOffPeers<S extends PeerSeries>(group: readonly S[]): PeerComparison<S>[] {
  const measured = group.filter(({ factor }) => factor !== null);
  if (measured.length < SERIES) return [];
  const prices = pricesByMonth(measured);
  if (!mayBeOff(measured, prices)) return [];
  return compare(measured, prices).filter(({ ratio }) => isBeyond(ratio, RATIO));
}

/**
 * Whether a series may be far from the others at all: in half of its months or more, some price is
 * far from some other one. Spares most groups the medians.
 */
function mayBeOff(measured: readonly PeerSeries[], { firstMonth, prices }: MonthlyPrices): boolean {
  const isWide = prices.map((ofMonth) => (ofMonth.length < SERIES ? null : hasWideRange(ofMonth)));
  return measured.some(({ points: { months } }) => {
    let compared = 0;
    let wide = 0;
    for (const month of months) {
      const one = isWide[month - firstMonth]!;
      if (one !== null) compared++;
      if (one === true) wide++;
    }
    return compared >= MONTHS && wide * 2 >= compared;
  });
}

/** Whether some of the prices of a month may be far from their median. */
function hasWideRange(prices: readonly number[]): boolean {
  let low = Infinity;
  let high = 0;
  for (const price of prices) {
    if (price < low) low = price;
    if (price > high) high = price;
  }
  return !(high / low < RATIO && low / high > 1 / RATIO);
}
