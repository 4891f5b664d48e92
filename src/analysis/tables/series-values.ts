import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import type { SeriesPoints } from '../../prices/read/price-loader.js';
import { aggregated, type Aggregation } from '../methods/aggregation.js';
import { type Transformation, transformed } from '../methods/transformations.js';
import { isValue } from '../methods/reason.js';
import { type Measure, monthlyColumn, type Per, priceConversion } from '../price-columns.js';
import type { TimeAxis } from './time-axis.js';

/** What the values of a table are. */
export interface ValueSettings {
  readonly axis: TimeAxis;
  readonly measure: Measure;
  readonly per: Per;
  readonly aggregation: Aggregation;
  readonly transformation: Transformation;
  /** The month number whose value is 100, of an index. */
  readonly base: number | null;
}

/** A series in a table: the periods in which it has a price, and their values. */
export interface TableSeries {
  /** Ascending. */
  readonly numbers: readonly number[];
  /** NaN where the price cannot be converted or transformed. */
  readonly values: Float64Array;
}

/** The values of a series: converted, then aggregated, then transformed. */
export function seriesValues(series: SeriesPoints, settings: ValueSettings): TableSeries {
  const { axis, transformation, base } = settings;
  const levels = levelsOf(series, settings);
  const { numbers } = levels;
  if (transformation === 'lin') return { numbers, values: levels.values.map(rounded) };
  const values = new Float64Array(numbers.length);
  const at = levelLookup(levels);
  const baseValue = base === null ? NaN : meanBetween(at, ...axis.ofMonth(base));
  for (const [index, number] of numbers.entries()) {
    const value = transformed(
      transformation,
      levels.values[index]!,
      at(number - 1),
      at(axis.yearBefore(number)),
      axis.perYear,
      baseValue,
    );
    values[index] = rounded(value);
  }
  return { numbers, values };
}

const rounded = (value: number) => (Number.isFinite(value) ? toSignificantDigits(value) : NaN);

function levelsOf(series: SeriesPoints, settings: ValueSettings): TableSeries {
  const { axis, measure, per, aggregation } = settings;
  const points = series.points[axis.period - 1]!;
  const convert = priceConversion(series, measure, per);
  const numbers: number[] = [];
  const values: number[] = [];
  let inPeriod = 0;
  for (let index = points.begin; index < points.end; index++) {
    const [price, day] = [points.values[index]!, points.days[index]!];
    if (points.isPartial(index) || !(price > 0)) continue;
    const number = axis.numberOf(day);
    const value = axis.coarser === null ? convert(price, axis.period, day) : NaN;
    const level = typeof value === 'number' && value > 0 ? value : NaN;
    // A source may have dated several prices of one week: all count, as in a month.
    const at = numbers.at(-1) === number ? numbers.length - 1 : numbers.length;
    inPeriod = at === numbers.length ? 1 : inPeriod + 1;
    values[at] = inPeriod === 1 ? level : (values[at]! * (inPeriod - 1) + level) / inPeriod;
    numbers[at] = number;
  }
  if (axis.coarser === null) return { numbers, values: Float64Array.from(values) };
  const byNumber = new Map<number, number>();
  for (const { month, value } of aggregated(monthlyColumn(series, measure, per), axis.coarser, aggregation))
    if (isValue(value)) byNumber.set(axis.ofMonth(month)[0], value);
  return { numbers, values: Float64Array.from(numbers, (number) => byNumber.get(number) ?? NaN) };
}

/** The value of a period by its number; NaN where there is none. */
function levelLookup({ numbers, values }: TableSeries): (number: number) => number {
  const first = numbers[0] ?? 0;
  const dense = new Float64Array(numbers.length === 0 ? 0 : numbers.at(-1)! - first + 1).fill(NaN);
  for (const [index, number] of numbers.entries()) dense[number - first] = values[index]!;
  return (number) => dense[number - first] ?? NaN;
}

/** The mean of the values from one period to another; NaN where there is none. */
function meanBetween(at: (number: number) => number, first: number, last: number): number {
  let [sum, count] = [0, 0];
  for (let number = first; number <= last; number++) {
    const value = at(number);
    if (!(value > 0)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}
