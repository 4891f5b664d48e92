import { sortInSteps } from '../../lib/scheduling/sort-in-steps.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { Sequence } from '../formats/chunks.js';

/** A column by which a list is sorted. */
export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
}

/**
 * The columns by which a list is sorted, the first one first; none for the order that the list has
 * by itself. Items with equal values keep that order, which ends with a unique key: pages never
 * overlap.
 */
export type Sort = readonly SortKey[];

/** A sort as the parameter `sort` has it. */
export const writtenSort = (sort: Sort): string =>
  sort.map(({ column, descending }) => (descending ? '-' : '') + column).join(',');

const collator = new Intl.Collator('en');

/**
 * The order of two values of a column that are not null: texts as in dictionaries (Unicode
 * collation: accents and letter case decide between texts that are otherwise equal), other values
 * by size, `false` before `true`. The service sorts, not the database: engines differ.
 */
export function compareValues(one: unknown, other: unknown): number {
  if (typeof one !== 'string' || typeof other !== 'string') return Number(one) - Number(other);
  // Texts that differ only in what the collation ignores must not be equal.
  return collator.compare(one, other) || (one < other ? -1 : Number(one > other));
}

/** The value of a record in a column. */
export const memberOf = (record: object, column: string): unknown =>
  (record as Readonly<Record<string, unknown>>)[column];

/** The order of items by their values of the columns of a sort: nulls last in both directions. */
export function compareBy(sort: Sort) {
  return (one: readonly unknown[], other: readonly unknown[]): number => {
    for (const [index, { descending }] of sort.entries()) {
      const [a, b] = [one[index] ?? null, other[index] ?? null];
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1;
        continue;
      }
      const order = compareValues(a, b);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

/** Items that are held beyond those that are asked for, before they are cut. */
const MAX_UNCUT = 10_000;

/** A list, or the beginning of it, in order. */
export interface SortedItems<Kept> {
  readonly items: Kept[];
  /** Items of the whole list. */
  readonly count: number;
}

/**
 * Sorts a list in steps between which other work gets its turn.
 * @param batches its items, in the order that the list has by itself
 * @param valueOf the value of an item in a column
 * @param keep what is held of an item besides these values
 * @param most so many items are asked for; others are not held
 */
export async function sortItems<T, Kept>(
  batches: Sequence<readonly T[]>,
  sort: Sort,
  valueOf: (item: T, column: string) => unknown,
  keep: (item: T) => Kept,
  most = Infinity,
): Promise<SortedItems<Kept>> {
  const timeSlice = new TimeSlice();
  const compareValuesOf = compareBy(sort);
  const compare = (one: KeyedItem<Kept>, other: KeyedItem<Kept>) => compareValuesOf(one.values, other.values);
  const sorted = (items: readonly KeyedItem<Kept>[]) => sortInSteps(items, compare, timeSlice);
  let kept: KeyedItem<Kept>[] = [];
  let count = 0;
  for await (const batch of batches) {
    for (const item of batch) {
      kept.push({ item: keep(item), values: sort.map(({ column }) => valueOf(item, column)) });
      if (++count % MAX_UNCUT === 0) await timeSlice.yield();
    }
    if (kept.length > 2 * most + MAX_UNCUT) kept = (await sorted(kept)).slice(0, most);
    await timeSlice.yield();
  }
  return { items: (await sorted(kept)).slice(0, most).map(({ item }) => item), count };
}

interface KeyedItem<Kept> {
  readonly item: Kept;
  readonly values: readonly unknown[];
}
