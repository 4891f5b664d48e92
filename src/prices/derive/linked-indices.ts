import { monthOf } from '../../lib/dates/calendar-date.js';

/** A value of one country's general consumer price index. */
export interface DatedIndex {
  readonly basePeriod: string;
  readonly day: number;
  readonly value: number;
}

/** How an index of an earlier base period is brought to the scale of another one. */
export interface IndexLink {
  /** The base period to whose scale it is brought. */
  readonly base_period: string;
  /** What its values are multiplied by: Σ of the other index ÷ Σ of this one, over these months. */
  readonly factor: number;
  /** The months that both have, ascending. */
  readonly months: readonly number[];
}

/** The index of one month. */
export interface LinkedIndex<T> {
  readonly record: T;
  /** The base period in whose terms real prices of the month are. */
  readonly base: string;
  /** Null where the value is used as it was published. */
  readonly link: IndexLink | null;
  /** The value in terms of `base`. */
  readonly value: number;
}

/** The indices of a base period by month, ascending. */
interface Base<T> {
  readonly name: string;
  readonly months: readonly (readonly [month: number, record: T])[];
}

/**
 * The index of each month of one country. Months that the newest base period lacks take the base
 * before, linked by the months that both have: the ratio of the means over these. What has no month
 * in common with newer ones is used as it is, in terms of its own base. A value of 0 is none.
 * @param preferred a base period that takes the place of the newest one, where it has values
 */
export function linkedIndices<T extends DatedIndex>(
  indices: Iterable<T>,
  preferred: string | null = null,
): Map<number, LinkedIndex<T>> {
  const linked = new Map<number, LinkedIndex<T>>();
  const remaining = basesOf(indices);
  const at = remaining.findIndex(({ name }) => name === preferred);
  if (at > 0) remaining.unshift(...remaining.splice(at, 1));
  while (remaining.length > 0) {
    const first = remaining.shift()!;
    const scale = new Map<number, number>();
    add(linked, scale, first, first.name, null);
    // The newest that has months in common, again and again: one may link others.
    for (let index = 0; index < remaining.length;) {
      const link = linkTo(scale, remaining[index]!, first.name);
      if (link === null) index++;
      else {
        add(linked, scale, remaining.splice(index, 1)[0]!, first.name, link);
        index = 0;
      }
    }
  }
  return linked;
}

function add<T extends DatedIndex>(
  linked: Map<number, LinkedIndex<T>>,
  scale: Map<number, number>,
  { months }: Base<T>,
  base: string,
  link: IndexLink | null,
): void {
  for (const [month, record] of months) {
    const value = link === null ? record.value : record.value * link.factor;
    if (!scale.has(month)) scale.set(month, value);
    if (!linked.has(month)) linked.set(month, { record, base, link, value });
  }
}

/** @returns null without a month in common */
function linkTo(
  scale: ReadonlyMap<number, number>,
  { months }: Base<DatedIndex>,
  base_period: string,
): IndexLink | null {
  const common = months.filter(([month]) => scale.has(month));
  if (common.length === 0) return null;
  // In order of month: the last digits of a sum depend on it.
  const [newer, older] = common.reduce(
    ([sum, own], [month, { value }]) => [sum + scale.get(month)!, own + value] as const,
    [0, 0] as readonly [number, number],
  );
  return { base_period, factor: newer / older, months: common.map(([month]) => month) };
}

/** The names of the base periods that have values, newest first. */
export const basePeriods = (indices: Iterable<DatedIndex>): string[] =>
  basesOf(indices).map(({ name }) => name);

/** The base periods that have values, newest first. */
function basesOf<T extends DatedIndex>(indices: Iterable<T>): Base<T>[] {
  const bases = new Map<string, Map<number, T>>();
  for (const index of indices) {
    // A published index can be 0 where it is too small for its decimals.
    if (!(index.value > 0)) continue;
    let months = bases.get(index.basePeriod);
    if (months === undefined) bases.set(index.basePeriod, (months = new Map<number, T>()));
    months.set(monthOf(index.day), index);
  }
  return [...bases]
    .sort(([one], [other]) => (isNewerBase(one, other) ? -1 : 1))
    .map(([name, months]) => ({ name, months: [...months].sort(([one], [other]) => one - other) }));
}

/**
 * Base periods are free text (`2015`, `2014-2016`, `Dec 2019`): the one with the later year is
 * newer; of the same year, the greater text.
 */
export function isNewerBase(one: string, other: string): boolean {
  const difference = latestYear(one) - latestYear(other);
  return difference === 0 ? one > other : difference > 0;
}

function latestYear(text: string): number {
  return Math.max(0, ...(text.match(/\d{4}/g) ?? []).map(Number));
}
