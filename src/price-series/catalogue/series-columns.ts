import type { TimeSlice } from '../../lib/scheduling/time-slice.js';

/*
 * Series in columns: 84 bytes each, outside the garbage-collected heap, and scanned sequentially by
 * filters. A row index identifies a series only within one set of columns; its uuid identifies it
 * forever.
 */

/** One number per series. */
type Column = Uint32Array;

/**
 * `uuid0` to `uuid3` are the uuid's four 32-bit words, most significant first. Columns named after
 * a reference table hold indexes of its dictionary, `currency` indexes of the list of currencies,
 * `status` of that of statuses.
 * `start1` to `end3` are the day numbers of the items of periods 1 to 3, 0 if there is no such
 * item; bit n of `calculated` is that of period n. `last_day` is the latest end, `revision` the
 * data revision that last changed the series.
 */
export const COLUMN_NAMES = [
  'id',
  'uuid0',
  'uuid1',
  'uuid2',
  'uuid3',
  'commodity',
  'price_type',
  'market',
  'source',
  'measure_unit',
  'currency',
  'status',
  'start1',
  'end1',
  'start2',
  'end2',
  'start3',
  'end3',
  'calculated',
  'last_day',
  'revision',
] as const;

type ColumnName = (typeof COLUMN_NAMES)[number];

/** The values of one series, by column. */
export type SeriesValues = Record<ColumnName, number>;

/** The columns of all series. */
export type SeriesColumns = Readonly<Record<ColumnName, Column>>;

/** Rows processed before the event loop may get a turn. */
const ROWS_PER_SLICE = 16_384;

/**
 * Builds columns from those of an earlier state. Copy on write: a column is copied when its first
 * value changes, so unchanged columns are shared and the earlier state stays intact.
 */
export class ColumnsBuilder {
  private readonly columns: Record<ColumnName, Column>;
  private readonly copied = new Set<ColumnName>();
  length: number;

  /** @param capacity maximum number of series */
  constructor(
    base: SeriesColumns,
    readonly capacity: number,
  ) {
    this.columns = { ...base };
    this.length = base.id.length;
  }

  set(row: number, values: SeriesValues): void {
    for (const name of COLUMN_NAMES) {
      if (this.columns[name][row] !== values[name]) this.writable(name)[row] = values[name];
    }
  }

  /** @returns false if the capacity is exhausted */
  add(values: SeriesValues): boolean {
    if (this.length === this.capacity) return false;
    for (const name of COLUMN_NAMES) this.writable(name)[this.length] = values[name];
    this.length++;
    return true;
  }

  /** Replaces each value n of a column by `table[n]`. */
  remap(name: ColumnName, table: Uint32Array): void {
    const column = this.writable(name);
    for (let row = 0; row < this.length; row++) column[row] = table[column[row]!]!;
  }

  /**
   * The finished columns, sorted by country, then uuid.
   * @param countryOf sort key of each market's country
   */
  async sorted(countryOf: Uint16Array, timeSlice: TimeSlice): Promise<SeriesColumns> {
    const order = await sortOrder(this.columns, this.length, countryOf, timeSlice);
    if (order === null) return this.columns;
    for (const name of COLUMN_NAMES) {
      const before = this.columns[name];
      const after = new Uint32Array(this.length);
      for (let row = 0; row < after.length; row++) after[row] = before[order[row]!]!;
      this.columns[name] = after;
      await timeSlice.yield();
    }
    return this.columns;
  }

  private writable(name: ColumnName): Column {
    if (!this.copied.has(name)) {
      const copy = new Uint32Array(this.capacity);
      copy.set(this.columns[name]);
      this.columns[name] = copy;
      this.copied.add(name);
    }
    return this.columns[name];
  }
}

export const NO_SERIES: SeriesColumns = Object.fromEntries(
  COLUMN_NAMES.map((name) => [name, new Uint32Array(0)]),
) as Record<ColumnName, Column>;

/** Row indexes by country and uuid, or null if they are sorted already. A natural merge sort. */
async function sortOrder(
  columns: SeriesColumns,
  length: number,
  countryOf: Uint16Array,
  timeSlice: TimeSlice,
): Promise<Uint32Array | null> {
  const { market, uuid0, uuid1, uuid2, uuid3 } = columns;
  const compare = (a: number, b: number) =>
    countryOf[market[a]!]! - countryOf[market[b]!]! ||
    uuid0[a]! - uuid0[b]! ||
    uuid1[a]! - uuid1[b]! ||
    uuid2[a]! - uuid2[b]! ||
    uuid3[a]! - uuid3[b]!;

  /** The starts of the sorted runs, and the end of the last one. */
  let runs = [0];
  for (let row = 1; row < length; row++) {
    if (compare(row - 1, row) > 0) runs.push(row);
    if (row % ROWS_PER_SLICE === 0) await timeSlice.yield();
  }
  runs.push(length);
  if (runs.length <= 2) return null;

  let from = Uint32Array.from({ length }, (_, row) => row);
  let to = new Uint32Array(length);
  while (runs.length > 2) {
    const merged = [0];
    for (let run = 0; run + 1 < runs.length; run += 2) {
      const begin = runs[run]!;
      const middle = runs[run + 1]!;
      const end = runs[run + 2] ?? middle;
      let left = begin;
      let right = middle;
      for (let row = begin; row < end; row++) {
        const takeLeft = left < middle && (right === end || compare(from[left]!, from[right]!) <= 0);
        to[row] = from[takeLeft ? left++ : right++]!;
      }
      merged.push(end);
      if (run % 64 === 0 || end - begin > 1000) await timeSlice.yield();
    }
    runs = merged;
    [from, to] = [to, from];
  }
  return from;
}

const EMPTY_SLOT = 0;

/** Finds series by uuid: a hash table with linear probing, at most half full. */
export class UuidIndex {
  private constructor(
    private readonly columns: SeriesColumns,
    /** Row + 1 by slot. */
    private readonly slots: Uint32Array,
  ) {}

  static async of(columns: SeriesColumns, timeSlice: TimeSlice): Promise<UuidIndex> {
    const length = columns.id.length;
    const size = 2 ** Math.ceil(Math.log2(Math.max(length, 8) * 2));
    const index = new UuidIndex(columns, new Uint32Array(size));
    for (let row = 0; row < length; row++) {
      let slot = index.slotOf(columns.uuid0[row]!, columns.uuid3[row]!);
      while (index.slots[slot] !== EMPTY_SLOT) slot = (slot + 1) & (size - 1);
      index.slots[slot] = row + 1;
      if (row % ROWS_PER_SLICE === 0) await timeSlice.yield();
    }
    return index;
  }

  /** The index for columns whose uuids are the same, in the same rows. */
  withColumns(columns: SeriesColumns): UuidIndex {
    return new UuidIndex(columns, this.slots);
  }

  /** The row of the series, or -1. */
  find(uuid: UuidWords): number {
    const { uuid0, uuid1, uuid2, uuid3 } = this.columns;
    for (let slot = this.slotOf(uuid[0], uuid[3]); ; slot = (slot + 1) & (this.slots.length - 1)) {
      const row = this.slots[slot]! - 1;
      if (row < 0) return -1;
      if (
        uuid0[row] === uuid[0] &&
        uuid1[row] === uuid[1] &&
        uuid2[row] === uuid[2] &&
        uuid3[row] === uuid[3]
      ) {
        return row;
      }
    }
  }

  /** Hashes both ends of the uuid, because either may repeat in time-based versions. */
  private slotOf(first: number, last: number): number {
    return (Math.imul(first ^ last, 0x9e3779b1) >>> 7) & (this.slots.length - 1);
  }
}

type UuidWords = readonly [number, number, number, number];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The four 32-bit words of a uuid, or null if the text is not a uuid. */
export function uuidWords(uuid: string): UuidWords | null {
  if (!UUID.test(uuid)) return null;
  const word = (text: string) => parseInt(text, 16);
  return [
    word(uuid.slice(0, 8)),
    word(uuid.slice(9, 13) + uuid.slice(14, 18)),
    word(uuid.slice(19, 23) + uuid.slice(24, 28)),
    word(uuid.slice(28)),
  ];
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const high = (word: number) => HEX[word >>> 24]! + HEX[(word >>> 16) & 255]!;
const low = (word: number) => HEX[(word >>> 8) & 255]! + HEX[word & 255]!;

/** The uuid of the series at a row, in lower case. */
export function uuidAt({ uuid0, uuid1, uuid2, uuid3 }: SeriesColumns, row: number): string {
  const [a, b, c, d] = [uuid0[row]!, uuid1[row]!, uuid2[row]!, uuid3[row]!];
  return `${high(a)}${low(a)}-${high(b)}-${low(b)}-${high(c)}-${low(c)}${high(d)}${low(d)}`;
}
