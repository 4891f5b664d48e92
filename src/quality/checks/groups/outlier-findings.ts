import type { FoundFinding } from '../../../findings/finding.js';
import {
  batches,
  mostTestable,
  suspectMonths,
  swappedPairs,
  type Outlier,
} from '../../rules/outlier-groups.js';
import { RULES } from '../../rules/rule-table.js';
import { shown, shownMonth, shownRange } from '../shown.js';
import type { CountrySeries } from './country-series.js';
import { groupFinding } from './group-finding.js';

/**
 * What the rules about points that stand apart find in a country.
 * @param subject what was checked
 * @param outliers of the country, in a fixed order
 */
export async function outlierFindings(
  subject: string,
  outliers: readonly Outlier[],
  country: CountrySeries,
): Promise<FoundFinding[]> {
  const found = [
    ...swappedPairs(outliers).map((pair) => swappedFinding(subject, pair)),
    ...batches(outliers).map((points) => batchFinding(subject, points)),
  ];
  for (const points of suspectMonths(outliers)) {
    const most = mostTestable(points.length);
    const testable = await country.testableIn(points[0]!.month, most);
    if (testable <= most) found.push(monthFinding(subject, points, testable));
  }
  return found;
}

function swappedFinding(subject: string, pair: [Outlier, Outlier]): FoundFinding {
  const [one, other] = pair;
  const detail =
    `${one.commodity} is at ${one.value} and ${other.commodity} at ${other.value} in ${one.market} in ` +
    `${shownMonth(one.month)}, the medians of the prices around these are ${shown(one.median)} and ` +
    `${shown(other.median)}: the two may be swapped.`;
  return groupFinding('swapped', subject, `${one.uuid} ${other.uuid}`, pair, detail);
}

const ratiosOf = (points: readonly Outlier[]) => shownRange(points.map(({ ratio }) => ratio));

function batchFinding(subject: string, points: readonly Outlier[]): FoundFinding {
  const { commodityId, commodity, month } = points[0]!;
  const detail = `${points.length} prices of ${commodity} in ${shownMonth(month)} are ${ratiosOf(points)} times the medians of the prices around them.`;
  return groupFinding('batch', subject, String(commodityId), points, detail);
}

function monthFinding(subject: string, points: readonly Outlier[], testable: number): FoundFinding {
  const { ratio } = RULES.month_suspect.thresholds;
  const detail =
    `${points.length} of ${testable} prices in ${shownMonth(points[0]!.month)} are ${ratio} times the medians of the ` +
    `prices around them and more, or ${shown(1 / ratio)} times and less: ${ratiosOf(points)} times.`;
  return groupFinding('month_suspect', subject, '', points, detail);
}
