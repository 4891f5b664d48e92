import { batchesOf } from '../../lib/collections/batches.js';
import { markWords } from '../../lib/text/folding.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import { PERIODS, type Period } from '../periodicity.js';
import type { ReferenceDictionaries, SearchableTexts } from './reference-dictionaries.js';
import type { SeriesColumns } from './series-columns.js';

/** A column to filter by. A condition tests each of its few values once, not each series. */
export type SeriesDimension =
  'country' | 'market' | 'commodity' | 'price_type' | 'source' | 'measure_unit' | 'currency' | 'status';

/** One byte for each value of a dimension: 1 if it passes, else 0. */
export type Bitmask = Uint8Array;

/** Later than any day number. */
const LATEST = 0x3fff_ffff;
/** Search words checked by one pass over the series: one bit each. */
const WORDS_PER_PASS = 31;

/** What one periodicity item has to match, in day numbers. A missing item starts on day 0. */
interface ItemFilter {
  periods: readonly Period[];
  startFrom: number;
  startTo: number;
  endFrom: number;
  endTo: number;
}

const ANY_ITEM: ItemFilter = { periods: PERIODS, startFrom: 1, startTo: LATEST, endFrom: 1, endTo: LATEST };

/** Collects the conditions of one query, then evaluates them in a single pass over the series. */
export class SeriesQuery {
  private readonly masks = new Map<SeriesDimension, Bitmask>();
  private itemFilter: ItemFilter | null = null;
  private lastFrom = 1;
  private lastTo = LATEST;
  private filtersLastDay = false;
  private rows: Uint32Array | null = null;
  private words: readonly string[] = [];

  constructor(readonly catalogue: CatalogueSnapshot) {}

  /** Keeps series whose value of the dimension passes. The mask may be changed later. */
  filter(dimension: SeriesDimension, mask: Bitmask): void {
    const before = this.masks.get(dimension);
    if (before !== undefined)
      for (let value = 0; value < mask.length; value++) mask[value]! &= before[value]!;
    this.masks.set(dimension, mask);
  }

  /** Keeps series with a periodicity item that matches this filter and all earlier ones at once. */
  filterItem(filter: Partial<ItemFilter>): void {
    this.itemFilter = { ...(this.itemFilter ?? ANY_ITEM), ...filter };
  }

  /** Keeps series whose last price is within these days. */
  filterLastDay({ from = this.lastFrom, to = this.lastTo }): void {
    this.lastFrom = from;
    this.lastTo = to;
    this.filtersLastDay = true;
  }

  /** Keeps the series at these catalogue rows. */
  filterRows(rows: Iterable<number>): void {
    const before = this.rows;
    const wanted = new Set(rows);
    this.rows = Uint32Array.from(before === null ? wanted : before.filter((row) => wanted.has(row))).sort();
  }

  /**
   * Keeps series for which each word is the beginning of one in the name of the commodity, the
   * market or the country, or a code of the country.
   * @param words folded by `foldForSearch`
   */
  filterWords(words: readonly string[]): void {
    this.words = [...this.words, ...words];
  }

  /** The catalogue rows of the matching series, ascending; null for all of them. */
  run(): Uint32Array | null {
    if (this.masks.size + this.words.length === 0 && !this.itemFilter && !this.filtersLastDay)
      return this.rows;
    const candidates = new Candidates(this.catalogue.size);
    const { columns, dictionaries } = this.catalogue;
    const countries = this.masks.get('country');
    if (this.rows !== null) {
      candidates.add(this.rows);
      if (countries) candidates.filter(marketMask(countries, dictionaries), columns.market);
    } else {
      this.addCountries(candidates, countries);
    }
    for (const [dimension, mask] of this.masks) {
      if (dimension !== 'country') candidates.filter(mask, columns[dimension]);
    }
    if (this.filtersLastDay) candidates.filterRange(columns.last_day, this.lastFrom, this.lastTo);
    if (this.itemFilter !== null) candidates.filterItems(columns, this.itemFilter);
    for (const batch of batchesOf(this.words, WORDS_PER_PASS)) {
      this.applyWords(candidates, batch);
    }
    return candidates.rows();
  }

  private addCountries(candidates: Candidates, mask: Bitmask | undefined): void {
    const { countryStarts, size } = this.catalogue;
    if (mask === undefined) return candidates.addRange(0, size);
    for (let country = 0; country < mask.length; country++) {
      if (mask[country] === 1) candidates.addRange(countryStarts[country]!, countryStarts[country + 1]!);
    }
  }

  private applyWords(candidates: Candidates, words: readonly string[]): void {
    const { marketIndex } = this.catalogue.dictionaries;
    const { commodity, market } = this.catalogue.columns;
    const { inCommodity, inMarket, inCountry } = wordsInNames(this.catalogue.dictionaries, words);
    for (let index = 0; index < inMarket.length; index++) {
      inMarket[index]! |= inCountry[marketIndex.countryOf[index]!]!;
    }
    const all = 2 ** words.length - 1;
    candidates.filterBits(all, inCommodity, commodity, inMarket, market);
  }
}

/** Bit sets of the words that begin one in the names of records, or are codes of countries. */
interface WordsInNames {
  /** By index of the commodity. */
  inCommodity: Uint32Array;
  /** By index of the market: in its own name. */
  inMarket: Uint32Array;
  /** By index of `countries`. */
  inCountry: Uint32Array;
}

/** @param words folded by `foldForSearch`, at most 31 */
export function wordsInNames(
  { commodityIndex, marketIndex }: ReferenceDictionaries,
  words: readonly string[],
): WordsInNames {
  const inCountry = occurrences(marketIndex.countryNames, words);
  for (const [country, codes] of marketIndex.countryCodes.entries())
    for (const [bit, word] of words.entries()) if (codes.includes(word)) inCountry[country]! |= 1 << bit;
  return {
    inCommodity: occurrences(commodityIndex.names, words),
    inMarket: occurrences(marketIndex.names, words),
    inCountry,
  };
}

/** For each text a bit set of the words that begin one of its words. */
function occurrences(texts: SearchableTexts, words: readonly string[]): Uint32Array {
  const found = new Uint32Array(texts.size);
  for (const [bit, word] of words.entries())
    texts.forEachWith(markWords(word), (text) => (found[text]! |= 1 << bit));
  return found;
}

/** Converts a mask of countries to one of their markets. */
function marketMask(countries: Bitmask, { marketIndex: { countryOf } }: ReferenceDictionaries): Bitmask {
  const mask = new Uint8Array(countryOf.length);
  for (let index = 0; index < mask.length; index++) mask[index] = countries[countryOf[index]!]!;
  return mask;
}

/** Queries run synchronously, so all of them can share one buffer. */
let buffer = new Uint32Array(0);

/** The catalogue rows that still match, filtered in place. */
class Candidates {
  private count = 0;

  constructor(size: number) {
    if (buffer.length < size) buffer = new Uint32Array(size);
  }

  add(rows: Uint32Array): void {
    buffer.set(rows, this.count);
    this.count += rows.length;
  }

  addRange(from: number, to: number): void {
    for (let row = from; row < to; row++) buffer[this.count++] = row;
  }

  /*
   * The filters are branch-free: each row is written back in any case and counted only if it
   * passes. The outcomes are unpredictable, and one branch misprediction costs more than all of
   * these operations.
   */

  filter(mask: Bitmask, column: Uint32Array): void {
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      const row = buffer[index]!;
      buffer[kept] = row;
      kept += mask[column[row]!]!;
    }
    this.count = kept;
  }

  filterRange(column: Uint32Array, from: number, to: number): void {
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      const row = buffer[index]!;
      const value = column[row]!;
      buffer[kept] = row;
      kept += +(value >= from) & +(value <= to);
    }
    this.count = kept;
  }

  filterItems(columns: SeriesColumns, { periods, startFrom, startTo, endFrom, endTo }: ItemFilter): void {
    // With fewer than three periods, the first is tested again.
    const [first, second = first, third = first] = periods;
    const [starts1, ends1] = [columns[`start${first!}`], columns[`end${first!}`]];
    const [starts2, ends2] = [columns[`start${second!}`], columns[`end${second!}`]];
    const [starts3, ends3] = [columns[`start${third!}`], columns[`end${third!}`]];
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      const row = buffer[index]!;
      const start1 = starts1[row]!;
      const end1 = ends1[row]!;
      const start2 = starts2[row]!;
      const end2 = ends2[row]!;
      const start3 = starts3[row]!;
      const end3 = ends3[row]!;
      buffer[kept] = row;
      kept +=
        (+(start1 >= startFrom) & +(start1 <= startTo) & +(end1 >= endFrom) & +(end1 <= endTo)) |
        (+(start2 >= startFrom) & +(start2 <= startTo) & +(end2 >= endFrom) & +(end2 <= endTo)) |
        (+(start3 >= startFrom) & +(start3 <= startTo) & +(end3 >= endFrom) & +(end3 <= endTo));
    }
    this.count = kept;
  }

  /** Keeps series whose two bit sets together have all bits. */
  filterBits(
    all: number,
    bits: Uint32Array,
    column: Uint32Array,
    bits2: Uint32Array,
    column2: Uint32Array,
  ): void {
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      const row = buffer[index]!;
      buffer[kept] = row;
      kept += +((bits[column[row]!]! | bits2[column2[row]!]!) === all);
    }
    this.count = kept;
  }

  rows(): Uint32Array {
    return buffer.slice(0, this.count);
  }
}
