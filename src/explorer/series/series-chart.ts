import type { MonthlyColumn } from '../../analysis/methods/monthly-column.js';
import { firstDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import type { Chart, ChartBand, ChartMark } from '../../web/chart/chart.js';
import { MONTH_GAP } from '../../web/chart/segments.js';
import { shortNumber } from '../../web/numbers.js';
import { texts } from '../texts.js';
import { emptyReason } from './series-empty.js';
import { seriesTitle, unitText } from './series-names.js';
import { remarksOf } from './series-table.js';
import type { PricedPoint, SeriesView } from './series-view.js';

/** Days from one point to the next by frequency; more mean that something is missing. */
const GAPS = { daily: 7, weekly: 10, monthly: MONTH_GAP } as const;
/** The years of the band. */
const YEARS_BEFORE = 5;
/** As many of them must have a price, as for the five-year mean. */
const MIN_YEARS = 3;

/** The chart of a series in the state of its page. */
export function seriesChart(view: SeriesView): Chart {
  const { state, entry, rows, forecasts, months, source, revision } = view;
  const points = pointsOf(rows, state);
  const expected = pointsOf(forecasts, state);
  const [forecast] = entry.status === 'forecast' ? points : expected;
  const [newest] = rows;
  const band =
    months === null || rows.length === 0 ? null : fiveYearBand(months, rows.at(-1)!.day, newest!.day);
  const unit = unitText(view);
  const summary =
    points.length === 0
      ? emptyReason(view).text
      : texts.chart.summary(points.length, rows.at(-1)!.date, newest!.date, unit, range(points));
  return {
    title: seriesTitle(view.entry),
    unit,
    note: texts.chart.note(source.name, newest?.date ?? null, revision),
    summary,
    empty: points.length === 0 ? summary : '',
    lines: [
      {
        name: texts.measure[state.measure],
        points: [...points, ...expected],
        ...(forecast === undefined ? {} : { forecast: { from: forecast.day, label: texts.chart.forecast } }),
      },
    ],
    ...(band === null ? {} : { band }),
    marks: rows.flatMap((row) => marksOf(row, row[state.measure])),
    ...(state.scale === 'log' ? { scale: 'log' } : {}),
    gap: GAPS[state.periodicity],
  };
}

/** The prices of rows in the measure that is shown, oldest first. */
const pointsOf = (rows: readonly PricedPoint[], { measure }: SeriesView['state']) =>
  rows.toReversed().flatMap(({ day, [measure]: value }) => (value === null ? [] : [{ day, value }]));

function marksOf(row: PricedPoint, value: number | null): ChartMark[] {
  const { day, date, flags, correction } = row;
  if (value === null || (flags.length === 0 && correction === null)) return [];
  const label = `${date}: ${remarksOf(row)}`;
  return [
    ...(flags.length === 0 ? [] : [{ kind: 'finding' as const, day, value, label }]),
    ...(correction === null ? [] : [{ kind: 'correction' as const, day, value, label }]),
  ];
}

/** From so many times the lowest value on, the highest hides it on a linear scale. */
const JUMP = 50;

/** Where values differ by much on a linear scale: how much; null elsewhere. */
export function jumpOf({ lines: [line], scale }: Chart): number | null {
  const values = line!.points.map(({ value }) => value).filter((value) => value > 0);
  if (scale === 'log' || values.length < 2) return null;
  const [low, high] = [Math.min, Math.max].map((pick) => values.reduce((a, b) => pick(a, b)));
  return high! / low! >= JUMP ? high! / low! : null;
}

const range = (points: readonly { value: number }[]): [string, string] => {
  const values = points.map(({ value }) => value);
  const extreme = (pick: (one: number, other: number) => number) =>
    shortNumber(values.reduce((a, b) => pick(a, b)));
  return [extreme(Math.min), extreme(Math.max)];
};

/** The lowest and highest price of the same month in the five years before, of three at least. */
function fiveYearBand(months: MonthlyColumn, first: number, last: number): ChartBand | null {
  const points: { day: number; low: number; high: number }[] = [];
  for (let month = monthOf(first); month <= monthOf(last); month++) {
    let [years, low, high] = [0, Infinity, -Infinity];
    for (let year = 1; year <= YEARS_BEFORE; year++) {
      const value = months.at(month - 12 * year);
      if (!(value > 0)) continue;
      years++;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (years >= MIN_YEARS) points.push({ day: firstDayOfMonth(month), low, high });
  }
  return points.length === 0 ? null : { name: texts.chart.band, points };
}
