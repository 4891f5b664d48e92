import { median } from '../../rules/neighbours.js';
import { relationOf } from '../../rules/split-series.js';
import { counted, spanText } from './wording.js';
import { shown } from '../shown.js';
import type { GroupedSeries } from './read-groups.js';

/** Series that are compared with the one that would show all prices. */
const RELATED = 3;

/** Says how the series of a market, commodity and type relate, and how they would be joined. */
export function splitText(group: readonly GroupedSeries[]): string {
  const into = newest(group);
  const others = group.filter((series) => series !== into);
  const { commodity, market, price_type } = into;
  const spans = group.map(({ currency, unit, points }) => `${currency} per ${unit} ${spanText(points)}`);
  const sentences = others.slice(0, RELATED).map((other) => relationText(other, into));
  if (others.length > RELATED) sentences.push(`${others.length - RELATED} more are not compared.`);
  const start = `${commodity}, ${price_type}, in ${market} is in ${group.length} series: ${spans.slice(0, RELATED + 1).join(', ')}.`;
  return [start, ...sentences].join(' ');
}

/** The series that goes on longest, of several the one with most prices: the others go into it. */
function newest(group: readonly GroupedSeries[]): GroupedSeries {
  const last = ({ points }: GroupedSeries) => points.days.at(-1) ?? 0;
  return group.reduce((best, series) => {
    const difference = last(series) - last(best) || series.points.days.length - best.points.days.length;
    return difference > 0 ? series : best;
  });
}

function relationText(from: GroupedSeries, into: GroupedSeries): string {
  const convertible = from.factor !== null && into.factor !== null && from.dimension === into.dimension;
  const sameUnit = from.measure_unit_id === into.measure_unit_id;
  const body: Record<string, unknown> = { into: into.uuid };
  if (!convertible && !sameUnit) body.factor = 'FACTOR';
  if (from.currency !== into.currency) body.relabel = true;
  const call = `POST PriceSerie/${from.uuid}/merge/ ${JSON.stringify(body).replace('"FACTOR"', 'FACTOR')}`;
  const [earlier, later] = startOf(from) <= startOf(into) ? [from, into] : [into, from];
  const relation = relationOf(
    earlier.points,
    later.points,
    convertible ? [earlier.factor!, later.factor!] : [1, 1],
  );
  const names = [earlier, later].map((series) => nameOf(series, sameUnit, from.currency === into.currency));
  if (relation === null) return `${call} would join them.`;
  const { kind, ratios } = relation;
  const perBase = convertible && !sameUnit ? ' per base unit' : '';
  const levels =
    kind === 'overlapping'
      ? `in ${counted(ratios.length, 'common month')} the price${perBase} in ${names[1]} is ${shown(median(ratios))} times the other in the median`
      : jointsText(ratios, perBase);
  return `${names.join(' and ')} are ${kind}; ${levels}. ${call} would join them.`;
}

function jointsText(ratios: readonly number[], perBase: string): string {
  const middle = shown(median(ratios));
  if (ratios.length === 1) return `at the joint the price${perBase} is ${middle} times the one before`;
  const range = `${shown(Math.min(...ratios))} to ${shown(Math.max(...ratios))}`;
  return `at the ${ratios.length} joints the price${perBase} is ${range} times the one before, ${middle} in the median`;
}

const startOf = ({ points }: GroupedSeries) => points.days[0] ?? 0;

/** What distinguishes a series from another one. */
function nameOf({ unit, currency }: GroupedSeries, sameUnit: boolean, sameCurrency: boolean): string {
  if (sameUnit) return currency;
  return sameCurrency ? unit : `${currency} per ${unit}`;
}
