import { monthNumber } from '../../analysis/analysis.parameters.js';
import { groupStatistics } from '../../analysis/methods/group-statistics.js';
import { newestSegment } from '../../analysis/seasons/price-seasons.service.js';
import { dayFromIso, firstDayOfMonth } from '../../lib/dates/calendar-date.js';
import type { Chart, ChartLine } from '../../web/chart/chart.js';
import { type ChartPoint, MONTH_GAP } from '../../web/chart/segments.js';
import type { PageMeasure } from '../series/series-state.js';
import { texts } from '../texts.js';
import type { GroupView, PricedView } from './group-views.js';

/** What the prices of a group are in: `KES per kg`. */
export const groupUnit = (measure: PageMeasure, { fields }: PricedView): string =>
  `${texts.money[measure](String(fields.currency))} ${texts.perAmount} ${fields.unit}`;

/** The medians of a group, oldest first. */
export const medianPoints = ({ observations }: GroupView): ChartLine['points'] =>
  observations
    .flatMap(({ date, median }) => (median === null ? [] : [{ day: dayFromIso(date)!, value: median }]))
    .reverse();

/** The medians of the newest months of a group, oldest first. */
export function newestMedians({ prices, change }: PricedView, months: number): ChartPoint[] {
  const last = monthNumber(change.month);
  const points: ChartPoint[] = [];
  for (let month = last - months + 1; month <= last; month++) {
    const { values } = prices.at(month);
    if (values.length > 0)
      points.push({ day: firstDayOfMonth(month), value: groupStatistics(values).median });
  }
  return points;
}

/**
 * The index of a group: segments cannot be compared, so it has the values of the newest one,
 * oldest first.
 */
export const indexPoints = ({ observations }: GroupView): ChartLine['points'] =>
  newestSegment(observations)
    .map(({ date, index }) => ({ day: dayFromIso(date)!, value: index! }))
    .reverse();

/** A chart of what is calculated from the prices of all sources. */
export const calculatedChart = (
  title: string,
  unit: string,
  revision: number,
  lines: readonly ChartLine[],
): Chart => ({
  title,
  unit,
  note: texts.groups.source(revision),
  summary: texts.chart.lines(
    lines.map(({ name }) => name),
    unit,
  ),
  empty: texts.chart.empty,
  lines,
  gap: MONTH_GAP,
});

/** The medians of a group as a chart of one line. */
export const medianChartOf = (title: string, unit: string, revision: number, group: GroupView): Chart =>
  calculatedChart(title, unit, revision, [{ name: title, points: medianPoints(group) }]);
