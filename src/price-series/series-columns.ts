import type { TimeSlice } from '../common/scheduling/time-slice.js';

/*
 * Series by columns: 80 bytes each, outside the garbage collector's heap, and read in a row by filters. A place in the columns
 * names a series as long as the columns are the same; its uuid names it for good.
 */

/** One number for each series. */
type Column = Uint32Array;

/**
 * `uuid0` to `uuid3` are the uuid's four words, most significant first. Columns called after a reference table hold places in its
 * dictionary, `currency` a place in the list of currencies. Days are day numbers, 0 where there is no such item; bit n of
 * `calculated` is set where the item of period n is. `last_day` is the latest of the ends, `revision` the one that last changed the series.
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

export type ColumnName = (typeof COLUMN_NAMES)[number];

/** Values of one series, by column. */
export type SeriesValues = Record<ColumnName, number>;

/** The columns of all series, in some order. */
export type SeriesColumns = Readonly<Record<ColumnName, Column>>;

const PLACES_AT_ONCE = 16_384;

/**
 * Columns being changed. They begin as those of a finished state; a column is copied when its first value changes, so what stays
 * the same is shared and the finished state stays as it was.
 */
export class ColumnsDraft {
  private readonly columns: Record<ColumnName, Column>;
  private readonly own = new Set<ColumnName>();
  length: number;

  /** @param capacity greatest number of series that it will hold */
  constructor(
    base: SeriesColumns,
    readonly capacity: number,
  ) {
    this.columns = { ...base };
    this.length = base.id.length;
  }

  static empty(capacity: number): ColumnsDraft {
    return new ColumnsDraft(NO_SERIES, capacity);
  }

  set(place: number, values: SeriesValues): void {
    for (const name of COLUMN_NAMES) {
      if (this.columns[name][place] !== values[name]) this.owned(name)[place] = values[name];
    }
  }

  /** @returns false where there is no room */
  add(values: SeriesValues): boolean {
    if (this.length === this.capacity) return false;
    for (const name of COLUMN_NAMES) this.owned(name)[this.length] = values[name];
    this.length++;
    return true;
  }

  /** Puts other numbers in a column: `table[n]` for n. */
  translate(name: ColumnName, table: Uint32Array): void {
    const column = this.owned(name);
    for (let place = 0; place < this.length; place++) column[place] = table[column[place]!]!;
  }

  /**
   * The finished columns, ordered by country, then uuid.
   * @param countryOf country of each market, as a number that orders
   */
  async ordered(countryOf: Uint16Array, pace: TimeSlice): Promise<SeriesColumns> {
    const order = await orderOf(this.columns, this.length, countryOf, pace);
    if (order === null) return this.columns;
    for (const name of COLUMN_NAMES) {
      const before = this.columns[name];
      const after = new Uint32Array(this.length);
      for (let place = 0; place < after.length; place++) after[place] = before[order[place]!]!;
      this.columns[name] = after;
      await pace.yield();
    }
    return this.columns;
  }

  private owned(name: ColumnName): Column {
    if (!this.own.has(name)) {
      const copy = new Uint32Array(this.capacity);
      copy.set(this.columns[name]);
      this.columns[name] = copy;
      this.own.add(name);
    }
    return this.columns[name];
  }
}

export const NO_SERIES: SeriesColumns = Object.fromEntries(
  COLUMN_NAMES.map((name) => [name, new Uint32Array(0)]),
) as Record<ColumnName, Column>;

/** Places in the order of country and uuid, or null where they are in it already. A merge sort that begins with the runs it finds. */
async function orderOf(
  columns: SeriesColumns,
  length: number,
  countryOf: Uint16Array,
  pace: TimeSlice,
): Promise<Uint32Array | null> {
  const { market, uuid0, uuid1, uuid2, uuid3 } = columns;
  const compare = (a: number, b: number) =>
    countryOf[market[a]!]! - countryOf[market[b]!]! ||
    uuid0[a]! - uuid0[b]! ||
    uuid1[a]! - uuid1[b]! ||
    uuid2[a]! - uuid2[b]! ||
    uuid3[a]! - uuid3[b]!;

  /** Where the runs that are in order begin, and where the last one ends. */
  let runs = [0];
  for (let place = 1; place < length; place++) {
    if (compare(place - 1, place) > 0) runs.push(place);
    if (place % PLACES_AT_ONCE === 0) await pace.yield();
  }
  runs.push(length);
  if (runs.length <= 2) return null;

  let from = Uint32Array.from({ length }, (_, place) => place);
  let to = new Uint32Array(length);
  while (runs.length > 2) {
    const merged = [0];
    for (let run = 0; run + 1 < runs.length; run += 2) {
      const begin = runs[run]!;
      const middle = runs[run + 1]!;
      const end = runs[run + 2] ?? middle;
      let left = begin;
      let right = middle;
      for (let place = begin; place < end; place++) {
        const takeLeft = left < middle && (right === end || compare(from[left]!, from[right]!) <= 0);
        to[place] = from[takeLeft ? left++ : right++]!;
      }
      merged.push(end);
      if (run % 64 === 0 || end - begin > 1000) await pace.yield();
    }
    runs = merged;
    [from, to] = [to, from];
  }
  return from;
}

const SLOTS_FREE = 0;

/** Finds series by their uuid: a table of slots, twice as many as series or more, where a series stands in its own slot or soon after. */
export class UuidIndex {
  private constructor(
    private readonly columns: SeriesColumns,
    /** Place + 1. */
    private readonly slots: Uint32Array,
  ) {}

  static async of(columns: SeriesColumns, pace: TimeSlice): Promise<UuidIndex> {
    const length = columns.id.length;
    const size = 2 ** Math.ceil(Math.log2(Math.max(length, 8) * 2));
    const index = new UuidIndex(columns, new Uint32Array(size));
    for (let place = 0; place < length; place++) {
      let slot = index.slotOf(columns.uuid0[place]!, columns.uuid3[place]!);
      while (index.slots[slot] !== SLOTS_FREE) slot = (slot + 1) & (size - 1);
      index.slots[slot] = place + 1;
      if (place % PLACES_AT_ONCE === 0) await pace.yield();
    }
    return index;
  }

  /** The same uuids in the same places, with other columns changed. */
  over(columns: SeriesColumns): UuidIndex {
    return new UuidIndex(columns, this.slots);
  }

  /** The place of a series, or -1. */
  find(uuid: UuidWords): number {
    const { uuid0, uuid1, uuid2, uuid3 } = this.columns;
    for (let slot = this.slotOf(uuid[0], uuid[3]); ; slot = (slot + 1) & (this.slots.length - 1)) {
      const place = this.slots[slot]! - 1;
      if (place < 0) return -1;
      if (
        uuid0[place] === uuid[0] &&
        uuid1[place] === uuid[1] &&
        uuid2[place] === uuid[2] &&
        uuid3[place] === uuid[3]
      ) {
        return place;
      }
    }
  }

  /** Mixes the ends of the uuid, because either may be the same in many (versions that begin or end with a clock). */
  private slotOf(first: number, last: number): number {
    return (Math.imul(first ^ last, 0x9e3779b1) >>> 7) & (this.slots.length - 1);
  }
}

export type UuidWords = readonly [number, number, number, number];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The four words of a uuid, or null for a text that is none. */
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

/** The uuid of the series at a place. */
export function uuidAt({ uuid0, uuid1, uuid2, uuid3 }: SeriesColumns, place: number): string {
  const [a, b, c, d] = [uuid0[place]!, uuid1[place]!, uuid2[place]!, uuid3[place]!];
  return `${high(a)}${low(a)}-${high(b)}-${low(b)}-${high(c)}-${low(c)}${high(d)}${low(d)}`;
}
