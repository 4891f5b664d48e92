import type { Chart, ChartLayout } from './chart.js';
import { CHARACTER } from './legend.js';
import { outlierLimit } from './outliers.js';
import { MONTH_GAP } from './segments.js';
import { calendarTicks, dateTicks, logTicks, type Tick, valueTicks } from './ticks.js';

/** Room around the drawing: for a title and the unit, for dates, and for half a label of a date. */
const [TOP, BOTTOM] = [50, 32];
const [START, END] = [56, 24];
/** Of labels of values, on both sides. */
const BESIDE_LABEL = 14;
/** Pixels that a label of a date takes, with room between two. */
const DATE_LABEL = 70;
/** Of a layout, for a title, a unit, dates and a note of one row each. */
const PLAIN = TOP + BOTTOM + 16;
/** The least height of the drawing, whatever stands around it. */
const LEAST_ROWS = 150;

/** Where days and values are in the picture. */
export interface Scales {
  /** Of the picture, with all rows of its texts. */
  readonly width: number;
  readonly height: number;
  /** The edges of the drawing. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (day: number) => number;
  readonly y: (value: number) => number;
  readonly dates: readonly Tick[];
  readonly values: readonly Tick[];
  /** The least and greatest value that can be drawn. */
  readonly range: readonly [low: number, high: number];
}

/** What a chart covers: its days, and the values that its axis shows. */
interface Extent {
  readonly first: number;
  readonly last: number;
  readonly low: number;
  readonly high: number;
}

/** The days and values of a chart; infinite where it has none. */
export function extentOf(chart: Chart): Extent {
  const { lines, band, marks = [], levels = [] } = chart;
  const [least, most] =
    chart.limits ?? (chart.scale === 'log' ? UNLIMITED : [-Infinity, outlierLimit(lines)]);
  let [first, last] = chart.range ?? [Infinity, -Infinity];
  let [low, high] = chart.values ?? [Infinity, -Infinity];
  const include = (day: number, from: number, to: number) => {
    first = Math.min(first, day);
    last = Math.max(last, day);
    if (from >= least) low = Math.min(low, from);
    if (to <= most) high = Math.max(high, to);
  };
  for (const { points } of lines) for (const { day, value } of points) include(day, value, value);
  for (const { day, value } of marks) include(day, value, value);
  for (const point of band?.points ?? []) include(point.day, point.low, point.high);
  for (const { at } of levels) [low, high] = [Math.min(low, at), Math.max(high, at)];
  if (chart.limits !== undefined) {
    // Axes reach to limits that are chosen where something is beyond them.
    const isBeyond = (test: (value: number) => boolean) =>
      lines.some(({ points }) => points.some(({ value }) => test(value)));
    if (isBeyond((value) => value < least)) low = least;
    if (isBeyond((value) => value > most)) high = most;
  }
  return { first, last, low, high };
}

const UNLIMITED = [-Infinity, Infinity] as const;

/**
 * @param texts pixels that texts take beside the drawing: rows above it and below it beside its
 * title and its dates, and names on its right
 */
export function scalesOf(
  chart: Chart,
  layout: ChartLayout,
  texts: { readonly above: number; readonly below: number; readonly beside: number },
): Scales {
  const { width } = layout;
  const extent = extentOf(chart);
  const { high } = extent;
  let { first, last, low } = extent;
  if (first >= last) [first, last] = [first - 30, first + 30];
  const isLog = chart.scale === 'log' && low > 0 && low <= high;
  // Prices that vary by more than a half of their height are seen from zero.
  if (!isLog && low > 0 && (low < high / 2 || chart.baseline === 'zero')) low = 0;
  const values = isLog ? logTicks(low, high) : valueTicks(low, high);
  const level = isLog ? Math.log10 : Number;
  const range = [values[0]!.at, values.at(-1)!.at] as const;
  const [bottom, top] = range.map(level) as [number, number];
  const left = Math.max(START, ...values.map(({ label }) => label.length * CHARACTER + BESIDE_LABEL));
  const right = width - Math.max(END, texts.beside + 8);
  const [above, below] = [TOP + texts.above, BOTTOM + texts.below];
  const rows = layout.isFixed ? Math.max(LEAST_ROWS, layout.height - above - below) : layout.height - PLAIN;
  const columns = right - left;
  const lowest = above + rows;
  return {
    width,
    height: lowest + below,
    left,
    right,
    top: above,
    bottom: lowest,
    x: (day) => left + ((day - first) / (last - first)) * columns,
    y: (value) =>
      lowest - ((level(Math.max(range[0], Math.min(range[1], value))) - bottom) / (top - bottom)) * rows,
    dates:
      chart.months === undefined
        ? dateTicks(first, last, Math.floor(columns / DATE_LABEL), chart.gap === MONTH_GAP)
        : calendarTicks(first, chart.months, columns),
    values,
    range,
  };
}
