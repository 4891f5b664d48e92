import { sortInSteps } from '../../lib/scheduling/sort-in-steps.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { compareValues, type Sort } from '../../platform/listing/sort.js';
import { DAILY, MONTHLY, WEEKLY, type Period, type PeriodName } from '../periodicity.js';
import type { SeriesEntry } from '../price-serie.view.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import type {
  Dictionary,
  ReferenceDictionaries,
  SeriesReferences,
  SeriesReferenceTable,
} from './reference-dictionaries.js';

/*
 * The order of series by columns of their list. Each value becomes a number, its rank among the
 * values of the column, and rows are sorted by radix: no texts are compared for each series.
 */

/** The rank of what is null: after all values, in both directions. */
export const NULL_RANK = 0xffff_ffff;

/** The rank of the value of a series, by its row: below `count`, or `NULL_RANK`. */
export interface Ranks {
  readonly count: number;
  readonly at: (row: number) => number;
}

/** A column by which series are sorted, as one key or several, the most significant first. */
type ColumnRanks = (catalogue: CatalogueSnapshot, timeSlice: TimeSlice) => Promise<readonly Ranks[]>;

/** A column of the list of series. Daily data are never derived. */
type SortedColumn =
  | Exclude<keyof SeriesEntry, 'periodicity' | 'status'>
  | `${PeriodName}_${'start' | 'end'}`
  | `${Exclude<PeriodName, 'daily'>}_calculated`;

/** The columns whose values come from a record that the series refers to. */
const referenceColumns = {
  iso3_country_code: inTable('market', ({ iso3_country_code }) => iso3_country_code),
  country_name: inTable('market', ({ country_name }) => country_name),
  commodity: inTable('commodity', ({ name }) => name),
  commodity_id: inTable('commodity', ({ id }) => id),
  hs_code: inTable('commodity', ({ hs_code }) => hs_code ?? ''),
  category: inTable('commodity', ({ category }) => category),
  price_type: inTable('price_type', ({ name }) => name),
  price_type_id: inTable('price_type', ({ id }) => id),
  market: inTable('market', ({ name }) => name),
  market_id: inTable('market', ({ id }) => id),
  market_type: inTable('market', ({ type }) => type),
  admin_unit: inTable('market', ({ admin_unit }) => admin_unit),
  admin_unit2: inTable('market', ({ admin_unit2 }) => admin_unit2),
  latitude: inTable('market', ({ latitude }) => latitude),
  longitude: inTable('market', ({ longitude }) => longitude),
  source: inTable('source', ({ name }) => name),
  source_id: inTable('source', ({ id }) => id),
  measure_unit: inTable('measure_unit', ({ name }) => name),
  measure_unit_id: inTable('measure_unit', ({ id }) => id),
  conversion_factor: inTable('measure_unit', ({ conversion_factor }) => conversion_factor),
  regional_average: inTable('market', ({ regional_average }) => regional_average),
};

const RANKS: Readonly<Record<SortedColumn, ColumnRanks>> = {
  ...referenceColumns,
  uuid: async ({ columns: { uuid0, uuid1, uuid2, uuid3 } }) =>
    [uuid0, uuid1, uuid2, uuid3].map((words) => ({ count: 2 ** 32, at: (row) => words[row]! })),
  currency: async ({ columns: { currency }, currencies }, timeSlice) => {
    const ranks = await ranksOf(currencies, timeSlice);
    return [{ count: currencies.length, at: (row) => ranks[currency[row]!]! }];
  },
  last_price_date: days('last_day'),
  daily_start: days(`start${DAILY}`),
  daily_end: days(`end${DAILY}`),
  weekly_start: days(`start${WEEKLY}`),
  weekly_end: days(`end${WEEKLY}`),
  weekly_calculated: isCalculated(WEEKLY),
  monthly_start: days(`start${MONTHLY}`),
  monthly_end: days(`end${MONTHLY}`),
  monthly_calculated: isCalculated(MONTHLY),
};

/**
 * Rows of a catalogue in the order of a sort. Those with equal values keep their order.
 * @param rows not changed
 * @param sort by columns of the list of series
 */
export async function sortRows(
  catalogue: CatalogueSnapshot,
  rows: Uint32Array,
  sort: Sort,
): Promise<Uint32Array> {
  const timeSlice = new TimeSlice();
  let sorted = rows;
  // By the least significant key first: each pass keeps the order of the one before.
  for (const { column, descending } of sort.toReversed())
    for (const ranks of (await RANKS[column as SortedColumn](catalogue, timeSlice)).toReversed())
      sorted = await sortByRank(sorted, ranks, descending, timeSlice);
  return sorted;
}

/** Rows between two looks at the time. */
const ROWS_PER_YIELD = 16_384;
/** Values of a digit of a rank. */
const DIGITS = 65_536;

/** Rows by ranks that are no column's; those with equal ones keep their order. */
export async function sortByRank(
  rows: Uint32Array,
  { count, at }: Ranks,
  descending: boolean,
  timeSlice: TimeSlice,
): Promise<Uint32Array> {
  const keys = new Uint32Array(rows.length);
  // With few ranks, what is null has the next one, and one pass is enough.
  const [nulls, digits] = count < DIGITS ? [count, count + 1] : [NULL_RANK, DIGITS];
  for (let index = 0; index < rows.length; index++) {
    const rank = at(rows[index]!);
    keys[index] = rank >= count ? nulls : descending ? count - 1 - rank : rank;
    if (index % ROWS_PER_YIELD === 0) await timeSlice.yield();
  }
  const low = await sortByDigit(rows, keys, 0, digits, timeSlice);
  return count < DIGITS ? low.rows : (await sortByDigit(low.rows, low.keys, 16, digits, timeSlice)).rows;
}

/** Rows with their keys, both in order. */
interface KeyedRows {
  readonly rows: Uint32Array;
  readonly keys: Uint32Array;
}

/**
 * Sorts rows by 16 bits of their keys; what they have in common alike is left as it is.
 * @param digits these bits are below that
 */
async function sortByDigit(
  rows: Uint32Array,
  keys: Uint32Array,
  shift: 0 | 16,
  digits: number,
  timeSlice: TimeSlice,
): Promise<KeyedRows> {
  const digit = (index: number) => (keys[index]! >>> shift) & (DIGITS - 1);
  const starts = new Uint32Array(digits + 1);
  for (let index = 0; index < keys.length; index++) {
    starts[digit(index) + 1]!++;
    if (index % ROWS_PER_YIELD === 0) await timeSlice.yield();
  }
  if (keys.length === 0 || starts[digit(0) + 1] === keys.length) return { rows, keys };
  for (let value = 1; value <= digits; value++) starts[value]! += starts[value - 1]!;
  const sorted = { rows: new Uint32Array(rows.length), keys: new Uint32Array(rows.length) };
  for (let index = 0; index < keys.length; index++) {
    const place = starts[digit(index)]!++;
    sorted.rows[place] = rows[index]!;
    sorted.keys[place] = keys[index]!;
    if (index % ROWS_PER_YIELD === 0) await timeSlice.yield();
  }
  return sorted;
}

/** Ranks of the days of a column, in which 0 stands for none. */
function days(name: 'last_day' | `${'start' | 'end'}${Period}`): ColumnRanks {
  return async ({ columns }) => {
    const column = columns[name];
    return [{ count: NULL_RANK, at: (row) => column[row]! || NULL_RANK }];
  };
}

/** Ranks of whether what a series has of a frequency is derived. */
function isCalculated(period: Period): ColumnRanks {
  return async ({ columns }) => {
    const [starts, { calculated }] = [columns[`start${period}`], columns];
    const at = (row: number) =>
      starts[row] === 0 ? NULL_RANK : Number((calculated[row]! & (1 << period)) !== 0);
    return [{ count: 2, at }];
  };
}

/** Ranks of a value of the record of a table that each series refers to. */
function inTable<T extends SeriesReferenceTable>(
  table: T,
  valueOf: (record: SeriesReferences[T]) => unknown,
): ColumnRanks {
  const ranksByTable = new WeakMap<Dictionary<SeriesReferences[T]>, Promise<Uint32Array>>();
  const ranksIn = (dictionaries: ReferenceDictionaries, timeSlice: TimeSlice) => {
    const records = dictionaries.of(table);
    let ranks = ranksByTable.get(records);
    if (ranks === undefined) {
      ranks = ranksOf(Array.from(records.records, valueOf), timeSlice);
      ranksByTable.set(records, ranks);
    }
    return ranks;
  };
  return async ({ columns, dictionaries }, timeSlice) => {
    const indices = columns[table];
    const ranks = await ranksIn(dictionaries, timeSlice);
    return [{ count: ranks.length, at: (row) => ranks[indices[row]!]! }];
  };
}

/** The rank of each value among all; equal ones have the same. */
export async function ranksOf(values: readonly unknown[], timeSlice: TimeSlice): Promise<Uint32Array> {
  const indices = [...values.keys()].filter((index) => values[index] !== null);
  const compare = (one: number, other: number) => compareValues(values[one], values[other]);
  const sorted = await sortInSteps(indices, compare, timeSlice);
  const ranks = new Uint32Array(values.length).fill(NULL_RANK);
  let rank = 0;
  for (const [place, index] of sorted.entries()) {
    if (place > 0 && compare(sorted[place - 1]!, index) !== 0) rank++;
    ranks[index] = rank;
    if (place % ROWS_PER_YIELD === 0) await timeSlice.yield();
  }
  return ranks;
}
