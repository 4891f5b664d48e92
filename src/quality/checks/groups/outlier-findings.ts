import type { FoundFinding } from '../../../ledger/findings/finding.js';
import { isoFromMonth } from '../../../lib/dates/calendar-date.js';
import {
  batches,
  mostTestable,
  suspectMonths,
  swappedPairs,
  type Outlier,
} from '../../rules/outlier-groups.js';
import { RULES } from '../../rules/rule-table.js';
import { shown, shownRange } from '../shown.js';
import { MonthCount, type Counted } from './country-series.js';
import { groupFinding } from './group-finding.js';

/**
 * What the rules about points that stand apart find in a country, but for suspect months.
 * @param subject what was checked
 * @param outliers of the country, in a fixed order
 */
export const outlierFindings = (subject: string, outliers: readonly Outlier[]): FoundFinding[] => [
  ...swappedPairs(outliers).map((pair) => swappedFinding(subject, pair)),
  ...batches(outliers).map((points) => batchFinding(subject, points)),
];

/** The outliers of months that may be suspect, with the count that decides it. */
export const countedMonths = (outliers: readonly Outlier[]): Counted<Outlier>[] =>
  suspectMonths(outliers).map((points) => ({
    points,
    count: MonthCount.testableIn(points[0]!.month, mostTestable(points.length)),
  }));

/** The months that are suspect. @param months counted in the country */
export const monthFindings = (subject: string, months: readonly Counted<Outlier>[]): FoundFinding[] =>
  months
    .filter(({ count }) => !count.isSettled)
    .map(({ points, count }) => monthFinding(subject, points, count.value));

function swappedFinding(subject: string, pair: [Outlier, Outlier]): FoundFinding {
  const [one, other] = pair;
  const detail =
    `${one.commodity} is at ${one.value} and ${other.commodity} at ${other.value} in ${one.market} in ` +
    `${isoFromMonth(one.month)}, the medians of the prices around these are ${shown(one.median)} and ` +
    `${shown(other.median)}: the two may be swapped.`;
  return groupFinding('swapped', subject, `${one.uuid} ${other.uuid}`, pair, detail);
}

const ratiosOf = (points: readonly Outlier[]) => shownRange(points.map(({ ratio }) => ratio));

function batchFinding(subject: string, points: readonly Outlier[]): FoundFinding {
  const { commodityId, commodity, month } = points[0]!;
  const detail = `${points.length} prices of ${commodity} in ${isoFromMonth(month)} are ${ratiosOf(points)} times the medians of the prices around them.`;
  return groupFinding('batch', subject, String(commodityId), points, detail);
}

function monthFinding(subject: string, points: readonly Outlier[], testable: number): FoundFinding {
  const { ratio } = RULES.month_suspect.thresholds;
  const detail =
    `${points.length} of ${testable} prices in ${isoFromMonth(points[0]!.month)} are ${ratio} times the medians of the ` +
    `prices around them and more, or ${shown(1 / ratio)} times and less: ${ratiosOf(points)} times.`;
  return groupFinding('month_suspect', subject, '', points, detail);
}
