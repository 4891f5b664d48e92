import type { FoundFinding } from '../../../ledger/findings/finding.js';
import { isoFromMonth } from '../../../lib/dates/calendar-date.js';
import { grouped } from '../../../lib/collections/grouped.js';
import { isRedenomination, maxSeries, type PowerStep } from '../../rules/redenomination.js';
import { shownRange } from '../shown.js';
import { MonthCount, type Counted } from './country-series.js';
import { groupFinding, type GroupPoint } from './group-finding.js';

/** A step of a series from one month to the next that is close to a power of ten. */
export interface SeriesPowerStep extends GroupPoint, PowerStep {
  readonly currency: string;
}

/** Steps of one currency and month, with the count that decides whether they are one event. */
export const countedSteps = (steps: readonly SeriesPowerStep[]): Counted<SeriesPowerStep>[] =>
  [...grouped(steps, ({ currency, month }) => `${currency} ${month}`).values()].map((points) => {
    const { currency, month } = points[0]!;
    return { points, count: MonthCount.withStepsIn(month, currency, maxSeries(seriesIn(points))) };
  });

/**
 * Months in which a currency of a country seems to have been redenominated.
 * @param subject what was checked
 * @param steps counted in the country
 */
export const stepFindings = (subject: string, steps: readonly Counted<SeriesPowerStep>[]): FoundFinding[] =>
  steps
    .filter(({ points, count }) => isRedenomination(seriesIn(points), count.value))
    .map(({ points, count }) => stepFinding(subject, points, count.value));

const seriesIn = (steps: readonly SeriesPowerStep[]) => new Set(steps.map(({ serieId }) => serieId)).size;

function stepFinding(subject: string, steps: readonly SeriesPowerStep[], series: number): FoundFinding {
  const { currency, month } = steps[0]!;
  const ratios = shownRange(steps.map(({ value, previous }) => value / previous));
  const detail = `${seriesIn(steps)} of ${series} prices in ${currency} are ${ratios} times those of the month before in ${isoFromMonth(month)}.`;
  return groupFinding('redenomination', subject, currency, steps, detail);
}
