import type { Chart, ChartLayout } from './chart.js';
import { calendarTicks, dateTicks, logTicks, type Tick, valueTicks } from './ticks.js';

/** Room around the drawing: for titles, dates, labels of values, and half a label of a date. */
const [TOP, BOTTOM] = [64, 48];
export const [START, END] = [56, 24];
/** Pixels that a label of a date takes, with room between two. */
const DATE_LABEL = 70;

/** Where days and values are in the picture. */
export interface Scales {
  /** Of the picture, with all rows of its texts. */
  readonly width: number;
  readonly height: number;
  /** Where the lowest value is. */
  readonly bottom: number;
  readonly x: (day: number) => number;
  readonly y: (value: number) => number;
  readonly dates: readonly Tick[];
  readonly values: readonly Tick[];
}

/** @param added room for more rows of texts than one each, above and below the drawing */
export function scalesOf(
  chart: Chart,
  layout: ChartLayout,
  added: { readonly above: number; readonly below: number },
): Scales {
  const { width } = layout;
  const { lines, band, marks = [], levels = [], months, limits = [-Infinity, Infinity] } = chart;
  const drawn = (value: number) => Math.max(limits[0], Math.min(limits[1], value));
  let [first, last, low, high] = [...(chart.range ?? [Infinity, -Infinity]), Infinity, -Infinity];
  const include = (day: number, from: number, to: number) => {
    first = Math.min(first, day);
    last = Math.max(last, day);
    low = Math.min(low, drawn(from));
    high = Math.max(high, drawn(to));
  };
  for (const { points } of lines) for (const { day, value } of points) include(day, value, value);
  for (const { day, value } of marks) include(day, value, value);
  for (const point of band?.points ?? []) include(point.day, point.low, point.high);
  for (const { at } of levels) [low, high] = [Math.min(low, at), Math.max(high, at)];
  if (first >= last) [first, last] = [first - 30, first + 30];
  const isLog = chart.scale === 'log' && low > 0 && low <= high;
  // Prices that vary by more than a half of their height are seen from zero.
  if (!isLog && low > 0 && low < high / 2) low = 0;
  const values = isLog ? logTicks(low, high) : valueTicks(low, high);
  const level = isLog ? Math.log10 : Number;
  const [bottom, top] = [level(values[0]!.at), level(values.at(-1)!.at)];
  const [columns, rows] = [width - START - END, layout.height - TOP - BOTTOM];
  const lowest = TOP + added.above + rows;
  return {
    width,
    height: layout.height + added.above + added.below,
    bottom: lowest,
    x: (day) => START + ((day - first) / (last - first)) * columns,
    y: (value) => lowest - ((level(drawn(value)) - bottom) / (top - bottom)) * rows,
    dates:
      months === undefined
        ? dateTicks(first, last, Math.floor(columns / DATE_LABEL))
        : calendarTicks(first, months, columns),
    values,
  };
}
