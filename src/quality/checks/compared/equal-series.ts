import type { FoundFinding } from '../../../ledger/findings/finding.js';
import { grouped } from '../../../lib/collections/grouped.js';
import { digestOf } from '../../rules/identical-series.js';
import { seriesGroupFinding, wholeSeries } from './series-finding.js';
import { spanText } from './wording.js';
import type { GroupedSeries } from './read-groups.js';

/** Series that a sentence names. */
const NAMED = 4;

/** Sets of series that are equal. Their first uuid distinguishes them, also when they grow. */
export function equalSeriesFindings(subject: string, group: readonly GroupedSeries[]): FoundFinding[] {
  const digests = new Map(group.map((series) => [series, digestOf(series.points)]));
  const comparable = group.filter((series) => digests.get(series) !== '');
  return [...grouped(comparable, (series) => digests.get(series)!).values()]
    .filter((set) => set.length > 1)
    .map((set) => {
      const [first] = set as [GroupedSeries];
      const different = new Set(first.points.values).size;
      const names = set.slice(0, NAMED).map(({ market, commodity }) => `${commodity} in ${market}`);
      if (set.length > NAMED) names.push(`${set.length - NAMED} more`);
      const detail =
        `${set.length} series have the same prices, ${different} different ones, ${spanText(first.points)}:` +
        ` ${names.join('; ')}.`;
      return seriesGroupFinding('identical_series', subject, first.country, {
        about: first.uuid,
        series: set.map(wholeSeries),
        detail,
      });
    });
}
