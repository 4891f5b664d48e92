import { dayFromIso, firstDayOfMonth, isoFromDay } from '../../lib/dates/calendar-date.js';
import type { Chart, ChartLine } from '../../web/chart/chart.js';
import { MONTH_GAP } from '../../web/chart/segments.js';
import { priceUnit } from '../series/series-names.js';
import { texts } from '../texts.js';
import type { CompareView } from './compare-view.js';

/** Whether prices would be converted to dollars, for which there is no rate. */
export const lacksRate = ({ query, terms, series, months }: CompareView): boolean =>
  query.base === undefined &&
  terms.measure !== (query.measure ?? 'nominal') &&
  months.length > 0 &&
  series.every(({ values }) => values.size === 0);

/** Whether one chart can show the series. */
export const hasChart = (view: CompareView): boolean => view.terms.isCommon && !lacksRate(view);

/** The chart of several series with a unit in common, or of their indices. */
export function compareChart(view: CompareView): Chart {
  const { query, catalogue, revision, terms, realBase, series, months } = view;
  const isEmpty = series.every(({ values }) => values.size === 0);
  const lines = series.map(({ name, values }) => ({
    name: values.size === 0 && !isEmpty ? texts.compare.noLine(name) : name,
    points: pointsOf(values),
  }));
  const [first] = series;
  const unit =
    query.base === undefined
      ? withBase(
          priceUnit(
            terms.measure,
            terms.per,
            catalogue.currencyAt(first!.row),
            catalogue.referenceAt('measure_unit', first!.row),
          ),
          realBase,
        )
      : texts.compare.index(query.base);
  const newest = months[0] === undefined ? null : isoFromDay(firstDayOfMonth(months[0]));
  return {
    title: view.title,
    unit,
    note: texts.chart.note(sourceNames(view), newest, revision),
    summary: texts.chart.lines(
      lines.map(({ name }) => name),
      unit,
    ),
    empty: texts.chart.empty,
    lines,
    ...(query.scale === 'log' ? { scale: 'log' } : {}),
    gap: MONTH_GAP,
  };
}

/** The chart of the ratio or difference of two series; null without a month that has both. */
export function formulaChart(view: CompareView): Chart | null {
  const { series, common, comparison, revision } = view;
  if (comparison === null) return null;
  const { terms, base, observations } = comparison;
  const points = observations
    .flatMap(({ date, value }) => (value === null ? [] : [{ day: dayFromIso(date)!, value }]))
    .reverse();
  if (points.length === 0) return null;
  const name = texts.compare.formulas[terms.formula];
  const sign = terms.formula === 'ratio' ? '÷' : '−';
  const unit = withBase(`${terms.currency}, ${terms.unit}`, base);
  return {
    title: `${common === '' ? '' : `${common}. `}${name}: ${series.map((each) => each.name).join(` ${sign} `)}`,
    unit,
    note: texts.chart.note(sourceNames(view), observations[0]?.date ?? null, revision),
    summary: texts.chart.lines([name], unit),
    empty: texts.chart.empty,
    lines: [{ name, points }],
    gap: MONTH_GAP,
  };
}

/** A unit with the base period of real prices. */
export const withBase = (unit: string, base: string | null): string =>
  base === null ? unit : `${unit} (${texts.indexBase(base)})`;

/** Who has published the series. */
export const sourceNames = ({ catalogue, series }: CompareView): string =>
  [...new Set(series.map(({ row }) => catalogue.referenceAt('source', row).name))].join(', ');

/** Values by month number as points, oldest first. */
export const pointsOf = (values: ReadonlyMap<number, number>): ChartLine['points'] =>
  [...values]
    .map(([month, value]) => ({ day: firstDayOfMonth(month), value }))
    .sort((one, other) => one.day - other.day);
