import type { FoundFinding } from '../../../ledger/findings/finding.js';
import { isSplit } from '../../rules/split-series.js';
import { orderTwins, runsThatFit, type FittingRun } from '../../rules/twin-currency.js';
import { seriesGroupFinding, wholeSeries } from './series-finding.js';
import { counted, monthsText } from './wording.js';
import { shown } from '../shown.js';
import type { GroupedSeries } from './read-groups.js';
import { splitText } from './split-text.js';

/** Series of one market, commodity and type that differ in unit or currency. */
export function placeFindings(subject: string, group: readonly GroupedSeries[]): FoundFinding[] {
  if (!isSplit(group)) return [];
  const split = seriesGroupFinding('split_series', subject, group[0]!.country, {
    about: '',
    series: group.map(wholeSeries),
    detail: splitText(group),
  });
  return [split, ...twinFindings(subject, group)];
}

/** Of each two series that differ in currency only, the points that say the wrong one. */
function twinFindings(subject: string, group: readonly GroupedSeries[]): FoundFinding[] {
  const found: FoundFinding[] = [];
  for (const [index, one] of group.entries()) {
    for (const other of group.slice(index + 1)) {
      if (one.measure_unit_id !== other.measure_unit_id || one.currency === other.currency) continue;
      const [right, wrong] = orderTwins(one, other);
      const runs = runsThatFit(wrong.points, right.points);
      if (runs.length > 0) found.push(twinFinding(subject, right, wrong, runs));
    }
  }
  return found;
}

function twinFinding(
  subject: string,
  right: GroupedSeries,
  wrong: GroupedSeries,
  runs: readonly FittingRun[],
): FoundFinding {
  const { days, values } = wrong.points;
  const points = runs.flatMap(({ from, to }) =>
    days.slice(from, to).map((day, index) => ({
      serieId: wrong.id,
      uuid: wrong.uuid,
      day,
      value: values[from + index]!,
    })),
  );
  const longest = runs.reduce((best, run) => (run.to - run.from > best.to - best.from ? run : best));
  const { from, to, ratioBefore, ratioAfter } = longest;
  const span = monthsText(days.slice(from, to));
  const { commodity, market, currency } = wrong;
  const detail =
    `${counted(points.length, 'price')} of ${commodity} in ${market} in ${currency} ${points.length === 1 ? 'lies' : 'lie'} between prices in` +
    ` ${right.currency} of the series ${right.uuid} and fit their level: of ${span} the first is` +
    ` ${shown(ratioBefore)} times the one before, and the next ${shown(ratioAfter)} times the last.`;
  return seriesGroupFinding('twin_currency', subject, wrong.country, {
    about: [right.uuid, wrong.uuid].toSorted().join(' '),
    series: points,
    detail,
  });
}
