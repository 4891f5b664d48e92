import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import type { ServedPoints } from '../../prices/derive/derivation.js';
import type { SeriesPoints } from '../../prices/read/price-loader.js';
import { aggregated, type Aggregation, type CoarserPeriod } from '../methods/aggregation.js';
import { type Transformation, transformed } from '../methods/transformations.js';
import { isValue } from '../methods/reason.js';
import { type Measure, monthlyColumn, type Per, priceConversion } from '../price-columns.js';
import type { TimeAxis } from './time-axis.js';

/** How the values of a table are calculated from prices. */
export interface ValueSettings {
  readonly axis: TimeAxis;
  readonly measure: Measure;
  readonly per: Per;
  readonly aggregation: Aggregation;
  readonly transformation: Transformation;
  /** The month number in which an index is 100; null for other transformations. */
  readonly base: number | null;
}

/** A series in a table: the periods in which it has a price, and their values. */
export interface TableSeries {
  /** The numbers of the periods on the time axis, ascending. */
  readonly numbers: readonly number[];
  /** The value of each of these periods; NaN where its price cannot be converted or transformed. */
  readonly values: Float64Array;
}

/** The values of a series: converted, then aggregated, then transformed. */
export function seriesValues(series: SeriesPoints, settings: ValueSettings): TableSeries {
  const { axis, transformation, base } = settings;
  const levels = levelsOf(series, settings);
  const { numbers } = levels;
  if (transformation === 'lin') return { numbers, values: levels.values.map(rounded) };
  const values = new Float64Array(numbers.length);
  const levelAt = levelLookup(levels);
  const baseLevel = base === null ? NaN : meanBetween(levelAt, ...axis.periodsOfMonth(base));
  for (const [index, number] of numbers.entries()) {
    const value = transformed(
      transformation,
      levels.values[index]!,
      levelAt(number - 1),
      levelAt(axis.yearBefore(number)),
      axis.perYear,
      baseLevel,
    );
    values[index] = rounded(value);
  }
  return { numbers, values };
}

const rounded = (value: number) => (Number.isFinite(value) ? toSignificantDigits(value) : NaN);

/** The levels of a series: its values before they are transformed. */
const levelsOf = (series: SeriesPoints, settings: ValueSettings): TableSeries =>
  settings.axis.coarser === null
    ? convertedLevels(series, settings)
    : aggregatedLevels(series, settings, settings.axis.coarser);

/** The levels of days, weeks or months: converted prices. */
function convertedLevels(series: SeriesPoints, { axis, measure, per }: ValueSettings): TableSeries {
  const points = pointsOf(series, axis);
  const convert = priceConversion(series, measure, per);
  const numbers: number[] = [];
  const values: number[] = [];
  let pricesInPeriod = 0;
  for (let index = points.begin; index < points.end; index++) {
    if (!isPrice(points, index)) continue;
    const day = points.days[index]!;
    const number = axis.numberOf(day);
    const converted = convert(points.values[index]!, axis.period, day);
    const level = typeof converted === 'number' && converted > 0 ? converted : NaN;
    if (number === numbers.at(-1)) {
      // A source may date several prices in one week: its level is their mean, as of a month.
      const last = values.length - 1;
      values[last] = (values[last]! * pricesInPeriod + level) / (pricesInPeriod + 1);
      pricesInPeriod++;
    } else {
      numbers.push(number);
      values.push(level);
      pricesInPeriod = 1;
    }
  }
  return { numbers, values: Float64Array.from(values) };
}

/** The levels of quarters or years: NaN for one that lacks months, though it has a price. */
function aggregatedLevels(
  series: SeriesPoints,
  { axis, measure, per, aggregation }: ValueSettings,
  periodicity: CoarserPeriod,
): TableSeries {
  const points = pointsOf(series, axis);
  const numbers = new Set<number>();
  for (let index = points.begin; index < points.end; index++)
    if (isPrice(points, index)) numbers.add(axis.numberOf(points.days[index]!));
  const levels = new Map<number, number>();
  for (const { month, value } of aggregated(monthlyColumn(series, measure, per), periodicity, aggregation))
    if (isValue(value)) levels.set(axis.periodsOfMonth(month)[0], value);
  return {
    numbers: [...numbers],
    values: Float64Array.from(numbers, (number) => levels.get(number) ?? NaN),
  };
}

/** The points of the frequency of an axis; those of a series stand in the order of its codes. */
const pointsOf = (series: SeriesPoints, axis: TimeAxis): ServedPoints => series.points[axis.period - 1]!;

/** Whether a point counts: its period is over, and its price is above 0. */
const isPrice = (points: ServedPoints, index: number): boolean =>
  !points.isPartial(index) && points.values[index]! > 0;

/** Finds the level of a period by its number; NaN where there is none. */
function levelLookup({ numbers, values }: TableSeries): (number: number) => number {
  const first = numbers[0] ?? 0;
  const dense = new Float64Array(numbers.length === 0 ? 0 : numbers.at(-1)! - first + 1).fill(NaN);
  for (const [index, number] of numbers.entries()) dense[number - first] = values[index]!;
  return (number) => dense[number - first] ?? NaN;
}

/** The mean of the levels from the first period to the last; NaN where there is none. */
function meanBetween(levelAt: (number: number) => number, first: number, last: number): number {
  let [sum, count] = [0, 0];
  for (let number = first; number <= last; number++) {
    const level = levelAt(number);
    if (!(level > 0)) continue;
    sum += level;
    count++;
  }
  return sum / count;
}
