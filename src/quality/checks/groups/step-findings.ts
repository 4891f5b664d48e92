import type { FoundFinding } from '../../../findings/finding.js';
import { groupsBy } from '../../rules/groups.js';
import { isRedenomination, mostSeries, type PowerStep } from '../../rules/redenomination.js';
import { shownMonth, shownRange } from '../shown.js';
import type { CountrySeries } from './country-series.js';
import { groupFinding, type GroupPoint } from './group-finding.js';

/** A step of a series from one month to the next that is close to a power of ten. */
export interface SeriesPowerStep extends GroupPoint, PowerStep {
  readonly currency: string;
}

/**
 * Months in which a currency of a country seems to have been redenominated.
 * @param subject what was checked
 * @param steps of the country, in a fixed order
 */
export async function stepFindings(
  subject: string,
  steps: readonly SeriesPowerStep[],
  country: CountrySeries,
): Promise<FoundFinding[]> {
  const found: FoundFinding[] = [];
  for (const group of groupsBy(steps, ({ currency, month }) => `${currency} ${month}`)) {
    const { currency, month } = group[0]!;
    const count = new Set(group.map(({ serieId }) => serieId)).size;
    const series = await country.withStepsIn(month, currency, mostSeries(count));
    if (!isRedenomination(count, series)) continue;
    const ratios = shownRange(group.map(({ value, previous }) => value / previous));
    const detail = `${count} of ${series} prices in ${currency} are ${ratios} times those of the month before in ${shownMonth(month)}.`;
    found.push(groupFinding('redenomination', subject, currency, group, detail));
  }
  return found;
}
