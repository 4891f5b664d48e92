import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import { PERIODS, type Period } from './periodicity.js';
import type { ReferenceFacts, SearchedTexts } from './reference-facts.js';
import type { SeriesColumns } from './series-columns.js';

/** What of a series a condition may be about: each has few values, so they are judged once and not once for each series. */
export type SeriesDimension = 'country' | 'market' | 'commodity' | 'price_type' | 'source' | 'currency';

/** For each value of an aspect 1 where it passes, else 0. */
export type Bitmask = Uint8Array;

/** Later than any day. */
const LATEST = 0x3fff_ffff;
/** Words of a search that one pass over the series checks: a bit each. */
const WORDS_AT_ONCE = 31;

/** What is asked of one and the same periodicity item, in day numbers. An item that is not there starts on day 0. */
interface ItemRule {
  periods: readonly Period[];
  startFrom: number;
  startTo: number;
  endFrom: number;
  endTo: number;
}

const ANY_ITEM: ItemRule = { periods: PERIODS, startFrom: 1, startTo: LATEST, endFrom: 1, endTo: LATEST };

/** The conditions of one query, gathered before the series are gone through once. */
export class SeriesQuery {
  private readonly verdicts = new Map<SeriesDimension, Bitmask>();
  private item: ItemRule | null = null;
  private lastFrom = 1;
  private lastTo = LATEST;
  private asksLast = false;
  private places: Uint32Array | null = null;
  private words: readonly string[] = [];

  constructor(readonly catalogue: CatalogueSnapshot) {}

  /** Keeps series whose aspect passes. */
  filter(aspect: SeriesDimension, verdict: Bitmask): void {
    const before = this.verdicts.get(aspect);
    if (before !== undefined)
      for (let place = 0; place < verdict.length; place++) verdict[place]! &= before[place]!;
    this.verdicts.set(aspect, verdict);
  }

  /** Asks more of the periodicity item that a series has to have: one item has to meet all that is asked. */
  filterItem(rule: Partial<ItemRule>): void {
    this.item = { ...(this.item ?? ANY_ITEM), ...rule };
  }

  /** Keeps series whose last price lies in these days. */
  filterLastDay({ from = this.lastFrom, to = this.lastTo }): void {
    this.lastFrom = from;
    this.lastTo = to;
    this.asksLast = true;
  }

  /** Keeps these series only. */
  filterRows(places: Iterable<number>): void {
    const before = this.places;
    const wanted = new Set(places);
    this.places = Uint32Array.from(
      before === null ? wanted : before.filter((place) => wanted.has(place)),
    ).sort();
  }

  /** Keeps series where each of the words occurs in the commodity's, the market's or the country's name. */
  filterWords(words: readonly string[]): void {
    this.words = [...this.words, ...words];
  }

  /** The places of the series kept, in order; null for all of them. */
  run(): Uint32Array | null {
    if (this.verdicts.size + this.words.length === 0 && !this.item && !this.asksLast) return this.places;
    const candidates = new Candidates(this.catalogue.size);
    const { columns, facts } = this.catalogue;
    const countries = this.verdicts.get('country');
    if (this.places !== null) {
      candidates.take(this.places);
      if (countries) candidates.filter(throughMarkets(countries, facts), columns.market);
    } else {
      this.takeCountries(candidates, countries);
    }
    for (const [aspect, verdict] of this.verdicts) {
      if (aspect !== 'country') candidates.filter(verdict, columns[aspect]);
    }
    if (this.asksLast) candidates.narrowRange(columns.last_day, this.lastFrom, this.lastTo);
    if (this.item !== null) candidates.narrowItems(columns, this.item);
    for (let word = 0; word < this.words.length; word += WORDS_AT_ONCE) {
      this.narrowWords(candidates, this.words.slice(word, word + WORDS_AT_ONCE));
    }
    return candidates.kept();
  }

  private takeCountries(candidates: Candidates, verdict: Bitmask | undefined): void {
    const { countryStarts, size } = this.catalogue;
    if (verdict === undefined) return candidates.takeRange(0, size);
    for (let country = 0; country < verdict.length; country++) {
      if (verdict[country] === 1) candidates.takeRange(countryStarts[country]!, countryStarts[country + 1]!);
    }
  }

  private narrowWords(candidates: Candidates, words: readonly string[]): void {
    const { commodityIndex, marketIndex } = this.catalogue.facts;
    const { commodity, market } = this.catalogue.columns;
    const inCommodity = occurrences(commodityIndex.names, words);
    const inMarket = occurrences(marketIndex.names, words);
    const inCountry = occurrences(marketIndex.countryNames, words);
    for (let place = 0; place < inMarket.length; place++) {
      inMarket[place]! |= inCountry[marketIndex.countryNameOf[place]!]!;
    }
    const all = 2 ** words.length - 1;
    candidates.narrowBits(all, inCommodity, commodity, inMarket, market);
  }
}

/** For each text the words that occur in it, a bit each. */
function occurrences(texts: SearchedTexts, words: readonly string[]): Uint32Array {
  const found = new Uint32Array(texts.size);
  for (const [bit, word] of words.entries()) texts.forEachWith(word, (text) => (found[text]! |= 1 << bit));
  return found;
}

/** A verdict on countries as one on their markets. */
function throughMarkets(countries: Bitmask, { marketIndex: { countryOf } }: ReferenceFacts): Bitmask {
  const verdict = new Uint8Array(countryOf.length);
  for (let place = 0; place < verdict.length; place++) verdict[place] = countries[countryOf[place]!]!;
  return verdict;
}

/** Selecting is done in one go, so all selections may use the same room. */
let room = new Uint32Array(0);

/** Places that may still be selected, narrowed in place. */
class Candidates {
  private count = 0;

  constructor(size: number) {
    if (room.length < size) room = new Uint32Array(size);
  }

  take(places: Uint32Array): void {
    room.set(places, this.count);
    this.count += places.length;
  }

  takeRange(from: number, to: number): void {
    for (let place = from; place < to; place++) room[this.count++] = place;
  }

  /*
   * Each candidate is written in any case and counted only where it passes, and what it has to pass is put together without
   * branches: none of that can be foreseen, and a branch taken wrongly costs more than all of it.
   */

  filter(verdict: Bitmask, column: Uint32Array): void {
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      const place = room[index]!;
      room[kept] = place;
      kept += verdict[column[place]!]!;
    }
    this.count = kept;
  }

  narrowRange(column: Uint32Array, from: number, to: number): void {
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      const place = room[index]!;
      const value = column[place]!;
      room[kept] = place;
      kept += +(value >= from) & +(value <= to);
    }
    this.count = kept;
  }

  narrowItems(columns: SeriesColumns, { periods, startFrom, startTo, endFrom, endTo }: ItemRule): void {
    // A period that is not asked for is put in twice.
    const [first, second = first, third = first] = periods;
    const [starts1, ends1] = [columns[`start${first!}`], columns[`end${first!}`]];
    const [starts2, ends2] = [columns[`start${second!}`], columns[`end${second!}`]];
    const [starts3, ends3] = [columns[`start${third!}`], columns[`end${third!}`]];
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      const place = room[index]!;
      const start1 = starts1[place]!;
      const end1 = ends1[place]!;
      const start2 = starts2[place]!;
      const end2 = ends2[place]!;
      const start3 = starts3[place]!;
      const end3 = ends3[place]!;
      room[kept] = place;
      kept +=
        (+(start1 >= startFrom) & +(start1 <= startTo) & +(end1 >= endFrom) & +(end1 <= endTo)) |
        (+(start2 >= startFrom) & +(start2 <= startTo) & +(end2 >= endFrom) & +(end2 <= endTo)) |
        (+(start3 >= startFrom) & +(start3 <= startTo) & +(end3 >= endFrom) & +(end3 <= endTo));
    }
    this.count = kept;
  }

  /** Keeps series whose two values have all bits between them. */
  narrowBits(
    all: number,
    bits: Uint32Array,
    column: Uint32Array,
    bits2: Uint32Array,
    column2: Uint32Array,
  ): void {
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      const place = room[index]!;
      room[kept] = place;
      kept += +((bits[column[place]!]! | bits2[column2[place]!]!) === all);
    }
    this.count = kept;
  }

  kept(): Uint32Array {
    return room.slice(0, this.count);
  }
}
