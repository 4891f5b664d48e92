import { editDistance } from '../../lib/text/closest-match.js';
import { markWords, plainWords, searchableText, writtenWords } from '../../lib/text/folding.js';
import { countryName, countryNames, iso2Of, knownCountries } from '../../lib/codes/countries.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { type ReferenceDictionaries, SearchableTexts } from '../catalogue/reference-dictionaries.js';
import { FOOD_WORDS, phraseKey } from './word-lists.js';

/** What a word names, the likeliest to be searched for first. */
const KINDS = ['commodity', 'country', 'region', 'market'] as const;
type Kind = (typeof KINDS)[number];

/** Languages in which people ask for countries, as far as the runtime has the names. */
const LANGUAGES = ['en', 'fr', 'es', 'pt', 'ar'];

/** Names read before the event loop may get a turn. */
const NAMES_PER_SLICE = 500;

/** Shorter words resemble too many: `rise` may be `rice`, but `tee` is not `teff`. */
const MIN_SLIP_LENGTH = 4;
/** Words of this length may have two slips, shorter ones one. */
const MIN_LENGTH_OF_TWO = 8;
/** Shorter Latin words begin too many. */
const MIN_BEGINNING_LENGTH = 3;
const LATIN = /^\p{Script=Latin}+$/u;
/** Words that are offered for one with a slip. */
const MAX_NEAREST = 5;

interface Word {
  kind: Kind;
  /** Names that have it. */
  names: number;
  /** As names have it: as one begins, if any does. */
  written: string;
  beginsOne: boolean;
}

/**
 * The words of the names of commodities, countries, regions and markets, for what no name has as it
 * was typed. It is made of the names, so that its size does not depend on the number of series.
 */
export class Vocabulary {
  private readonly words = new Map<string, Word>();
  private readonly byLength: string[][] = [];
  /** Codes of the countries that are called so in another language. */
  private readonly countries = new Map<string, Set<string>>();
  /** Codes of the countries with series, by names of one word that nothing else is called. */
  private readonly called = new Map<string, string>();
  /** Codes of the countries without series, by their names. */
  private readonly absent = new Map<string, string>();

  private constructor(
    private readonly regions: readonly string[],
    private readonly regionTexts: SearchableTexts,
  ) {}

  /** Made once for the names of a state of the data. */
  static of(dictionaries: ReferenceDictionaries): Promise<Vocabulary> {
    let vocabulary = known.get(dictionaries);
    if (vocabulary === undefined) known.set(dictionaries, (vocabulary = Vocabulary.read(dictionaries)));
    return vocabulary;
  }

  private static async read(dictionaries: ReferenceDictionaries): Promise<Vocabulary> {
    const timeSlice = new TimeSlice();
    const markets = dictionaries.of('market').records;
    const units = new Set(markets.flatMap(({ admin_unit, admin_unit2 }) => [admin_unit, admin_unit2]));
    units.delete('');
    const regions = [...units];
    const vocabulary = new Vocabulary(regions, new SearchableTexts(regions.map(searchableText)));
    const { countries, countryLabels } = dictionaries.marketIndex;
    const named: [Kind, string[]][] = [
      ['commodity', dictionaries.of('commodity').records.map(({ name }) => name)],
      ['country', countries.flatMap((iso3, index) => [countryLabels[index]!, ...countryNames(iso3)])],
      ['region', regions],
      ['market', markets.map(({ name }) => name)],
    ];
    for (const [kind, names] of named)
      for (const [index, name] of names.entries()) {
        if (index % NAMES_PER_SLICE === 0) await timeSlice.yield();
        const written = writtenWords(name);
        for (const [place, word] of plainWords(name).entries())
          vocabulary.add(word, kind, written.get(word), place === 0);
      }
    for (const [index, iso3] of countries.entries()) {
      vocabulary.addCountry(iso3);
      const others = countryLabels.filter((_, other) => other !== index).flatMap(plainWords);
      for (const name of [countryLabels[index]!, ...countryNames(iso3)]) {
        const [word, ...more] = plainWords(name);
        if (word === undefined || more.length > 0 || others.includes(word)) continue;
        if (vocabulary.words.get(word)?.kind === 'country') vocabulary.called.set(word, iso3);
      }
    }
    for (const { iso3 } of knownCountries)
      if (!countries.includes(iso3))
        for (const name of [...countryNames(iso3), ...translatedNames(iso3)]) {
          const key = phraseKey(name);
          // Without "sur", the Spanish name of South Sudan is that of Sudan.
          if (!vocabulary.countries.has(key)) vocabulary.absent.set(key, iso3);
        }
    for (const words of FOOD_WORDS.keys()) if (!words.includes(' ')) vocabulary.add(words, 'commodity');
    for (const word of vocabulary.words.keys()) (vocabulary.byLength[word.length] ??= []).push(word);
    return vocabulary;
  }

  /** The code of the one country that is called so in some language, or undefined. */
  countryOf(phrase: string): string | undefined {
    const codes = this.countries.get(phrase);
    return codes?.size === 1 ? [...codes][0] : undefined;
  }

  /** The country without series that is called so, as it is called here, or undefined. */
  absentCountry(phrase: string): string | undefined {
    const iso3 = this.absent.get(phrase);
    return iso3 === undefined ? undefined : countryName(iso3);
  }

  /**
   * The code of the country that a word is the whole name of, where longer words begin so, too;
   * undefined where commodities or other countries have the word, and of countries without series
   * also where a region or market has a name that begins with it.
   */
  countryCalled(word: string): string | undefined {
    const iso3 = this.absent.get(word);
    if (iso3 !== undefined) {
      const named = this.words.get(word);
      const isInside = named !== undefined && (named.kind === 'region' || named.kind === 'market');
      return named === undefined || (isInside && !named.beginsOne) ? iso3 : undefined;
    }
    const called = this.called.get(word);
    return called !== undefined && this.begunBy(word).length > 1 ? called : undefined;
  }

  /** A word, or some, as names have them; those that are in none as they are. */
  written(phrase: string): string {
    const words = phrase.split(' ').map((word) => this.words.get(word)?.written ?? word);
    return words.join(' ');
  }

  /** The regions with words that begin with each of these. */
  regionsWith(words: readonly string[]): string[] {
    const found = new Uint32Array(this.regions.length);
    for (const word of words) this.regionTexts.forEachWith(markWords(word), (index) => found[index]!++);
    return this.regions.filter((_, index) => found[index] === words.length);
  }

  /** The words that begin with one of which not all is typed. */
  begunBy(word: string): string[] {
    if (word.length < MIN_BEGINNING_LENGTH && LATIN.test(word)) return [];
    return [...this.words.keys()].filter((each) => each.startsWith(word));
  }

  /** The words that are nearest to one with a slip of the keyboard, the likeliest first. */
  nearest(word: string): string[] {
    if (word.length < MIN_SLIP_LENGTH) return [];
    const most = word.length < MIN_LENGTH_OF_TWO ? 1 : 2;
    const letters = lettersOf(word);
    const found: { near: string; distance: number }[] = [];
    for (let length = word.length - most; length <= word.length + most; length++)
      for (const near of this.byLength[length] ?? []) {
        // Each edit changes two of the letters that occur at the most.
        if (bits(letters ^ lettersOf(near)) > 2 * most) continue;
        if (!isSlipOfBeginning(word, near)) continue;
        const distance = editDistance(word, near);
        if (distance <= most) found.push({ near, distance });
      }
    const order = ({ near }: { near: string }) => KINDS.indexOf(this.words.get(near)!.kind);
    const names = ({ near }: { near: string }) => this.words.get(near)!.names;
    return found
      .sort(
        (one, other) =>
          one.distance - other.distance ||
          order(one) - order(other) ||
          names(other) - names(one) ||
          (one.near < other.near ? -1 : 1),
      )
      .slice(0, MAX_NEAREST)
      .map(({ near }) => near);
  }

  private add(word: string, kind: Kind, written = word, beginsOne = false): void {
    const before = this.words.get(word);
    if (before === undefined) this.words.set(word, { kind, names: 1, written, beginsOne });
    if (before?.kind !== kind) return;
    before.names++;
    if (beginsOne && !before.beginsOne) Object.assign(before, { written, beginsOne });
  }

  /** Notes what a country is called in other languages: by the name, and each word of it. */
  private addCountry(iso3: string): void {
    for (const name of translatedNames(iso3)) {
      const key = phraseKey(name);
      for (const phrase of [key, ...key.split(' ')]) {
        if (phrase === '') continue;
        const codes = this.countries.get(phrase);
        if (codes === undefined) this.countries.set(phrase, new Set([iso3]));
        else codes.add(iso3);
      }
      for (const word of key.split(' ')) if (word !== '') this.add(word, 'country');
    }
  }
}

const translations = LANGUAGES.map(
  (language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }),
);

function translatedNames(iso3: string): string[] {
  const iso2 = iso2Of(iso3);
  return iso2 === '' ? [] : translations.flatMap((names) => names.of(iso2) ?? []);
}

/** Hardly anyone misses the first letter for another: `goma` is not `boma`. */
const isSlipOfBeginning = (word: string, near: string): boolean =>
  word[0] === near[0] || word[0] === near[1] || word[1] === near[0];

const known = new WeakMap<ReferenceDictionaries, Promise<Vocabulary>>();

/** A bit for each of the letters that a word has; some share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) & 31);
  return letters;
}

function bits(number: number): number {
  let count = 0;
  for (let left = number; left !== 0; left &= left - 1) count++;
  return count;
}
