import { foldForSearch, plainWords } from '../../lib/text/folding.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { CatalogueSnapshot } from '../catalogue/catalogue-snapshot.js';
import { wordsInNames } from '../catalogue/series-query.js';
import { FOOD_WORDS, isLeftOut } from './word-lists.js';
import { type Attribute, type AttributeFilter, AttributeWords } from './attribute-words.js';
import { Vocabulary } from './vocabulary.js';

/** Words of a search that are looked at; people type fewer. */
const MAX_WORDS = 12;
/** Words that one of a name may take the place of, such as `pomme de terre`. */
const MAX_PHRASE = 4;
/** Combinations of what the words may mean that are tried. */
const MAX_TRIED = 24;
/** Regions of one name that are filtered by. */
const MAX_REGIONS = 20;

/** A search, as far as the words of the data can say it. */
export interface Understood {
  /** What `search` takes; '' where other filters have all of it. */
  readonly search: string;
  /** What other filters take. */
  readonly filters: ReadonlyMap<ReadFilter, readonly (string | number)[]>;
  /** The parts of what `search` takes, each as names have it. */
  readonly parts: readonly SearchPart[];
  /** What other filters take, in words: those of regions, or the names of all values. */
  readonly filterWords: ReadonlyMap<ReadFilter, readonly string[]>;
  /** Words that nothing is called, with what they were taken for. */
  readonly slips: readonly Replaced[];
  /** Whether other words than those typed are searched for, or fewer. */
  readonly isReworded: boolean;
}

/** A part of a search. */
interface SearchPart {
  readonly search: string;
  readonly shown: string;
}

interface Replaced {
  readonly typed: string;
  readonly meant: string;
}

/** The filters beside `search` that words may stand for. */
export type ReadFilter = 'admin_units' | AttributeFilter;

/** The values of the filters of series that find what was understood. */
export const understoodFilters = ({ search, filters }: Understood) => ({
  ...(search === '' ? {} : { search }),
  ...Object.fromEntries([...filters].map(([name, values]) => [name, [...values]])),
});

/** What was made of a search. */
export interface SearchReading {
  /** The first meaning that finds something, or else the likeliest; null where there is none. */
  readonly understood: Understood | null;
  readonly isFound: boolean;
  /** The words, those that stand together as one. */
  readonly typed: readonly string[];
  /** Words that are in no name, and like none. */
  readonly unknown: readonly string[];
  /** Names of countries without series, as they were typed, with what these are called. */
  readonly absent: ReadonlyMap<string, string>;
  /** Words that were taken for slips, with all that are near, as names have them. */
  readonly near: ReadonlyMap<string, readonly string[]>;
}

/** What a word, or some in a row, may stand for. */
interface Meaning extends SearchPart {
  readonly kind: 'typed' | 'food' | 'country' | 'region' | 'attribute' | 'slip';
  readonly typed: string;
  readonly attribute?: Attribute;
}

/**
 * Finds what a search means that finds nothing word for word: without punctuation and words such as
 * `price of`, with food and countries in other languages, regions, currencies, price types,
 * sources, and slips of the keyboard. A slip is looked for only in a word that nothing is called.
 * @param finds whether there are series of a meaning
 */
export async function readSearch(
  catalogue: CatalogueSnapshot,
  text: string,
  finds: (understood: Understood) => boolean,
): Promise<SearchReading> {
  const vocabulary = await Vocabulary.of(catalogue.dictionaries);
  const typed = plainWords(text);
  const words = searchedWords(text);
  const isShorter = words.length < typed.length;
  const near = new Map<string, readonly string[]>();
  const meanings = meaningsOf(catalogue, vocabulary, words, near);
  const without = meanings.flatMap(({ typed, options }) => (options.length === 0 ? [typed] : []));
  const absent = new Map(
    meanings.flatMap(({ typed }) => {
      const name = vocabulary.absentCountry(typed);
      return name === undefined ? [] : [[typed, name] as const];
    }),
  );
  const unknown = without.filter((typed) => !absent.has(typed));
  const read = { typed: meanings.map(({ typed }) => typed), unknown, absent, near };
  let likeliest: Understood | null = null;
  if (meanings.length > 0 && without.length === 0)
    for (const combination of combinations(meanings.map(({ options }) => options))) {
      const understood = understoodBy(combination, vocabulary, isShorter);
      if (understood === null) continue;
      likeliest ??= understood;
      if (finds(understood)) return { understood, isFound: true, ...read };
    }
  return { understood: likeliest, isFound: false, ...read };
}

/** The codes of the countries whose whole names are words of a search. */
export async function countriesCalled(catalogue: CatalogueSnapshot, text: string): Promise<string[]> {
  const vocabulary = await Vocabulary.of(catalogue.dictionaries);
  return searchedWords(text).flatMap((word) => vocabulary.countryCalled(word) ?? []);
}

/** The words of a search that tell what is looked for, as many as are looked at. */
const searchedWords = (text: string): string[] =>
  plainWords(text)
    .filter((word) => !isLeftOut(word))
    .slice(0, MAX_WORDS);

/** The meanings of the words in a row, the likeliest first; several words may stand together. */
function meaningsOf(
  catalogue: CatalogueSnapshot,
  vocabulary: Vocabulary,
  words: readonly string[],
  near: Map<string, readonly string[]>,
): { typed: string; options: Meaning[] }[] {
  const isNamed = namedWords(catalogue, words);
  const { countries, countryCodes, countryLabels } = catalogue.dictionaries.marketIndex;
  const labelOf = (iso3: string) => countryLabels[countries.indexOf(iso3)]!;
  const typedMeaning = (typed: string): Meaning => {
    const written = vocabulary.written(typed);
    const ofCode = countryLabels[countryCodes.findIndex((codes) => codes.includes(typed))];
    const shown = written === typed ? (ofCode ?? typed) : written;
    return { kind: 'typed', typed, search: typed, shown };
  };
  const translated = (phrase: string): Meaning[] => {
    const iso3 = vocabulary.countryOf(phrase);
    const country = { kind: 'country', typed: phrase } as const;
    return [
      ...(FOOD_WORDS.get(phrase) ?? []).flatMap((food) =>
        [...new Set([food, singular(food)])].map((search) => ({
          kind: 'food' as const,
          typed: phrase,
          search,
          shown: vocabulary.written(food),
        })),
      ),
      ...(iso3 === undefined ? [] : [{ ...country, search: iso3, shown: labelOf(iso3) }]),
    ];
  };
  /** What all words that begin so mean, if that is one thing. */
  const begun = (typed: string): Meaning[] => {
    const all = vocabulary.begunBy(typed).map((word) => translated(word));
    const isOne = new Set(all.map((each) => each.map(({ search }) => search).join())).size === 1;
    return isOne ? all[0]!.map((meaning) => ({ ...meaning, typed })) : [];
  };
  const attributes = AttributeWords.of(catalogue);
  const attributesOf = (typed: string): Meaning[] =>
    attributes
      .called(typed)
      .map((attribute) => ({ kind: 'attribute', typed, search: '', shown: typed, attribute }));
  const found: { typed: string; options: Meaning[] }[] = [];
  for (let at = 0; at < words.length;) {
    let length = Math.min(MAX_PHRASE, words.length - at);
    const phrase = () => words.slice(at, at + length).join(' ');
    const isKnown = (text: string) =>
      translated(text).length > 0 ||
      attributes.called(text).length > 0 ||
      vocabulary.absentCountry(text) !== undefined;
    while (length > 1 && !isKnown(phrase())) length--;
    const typed = phrase();
    const options = translated(typed);
    if (length === 1 && vocabulary.countryCalled(typed) !== undefined) {
      // It is that country, not what has a longer name that begins so; without series, it is none.
      found.push({ typed, options: options.filter(({ kind }) => kind === 'country') });
      at++;
      continue;
    }
    if (length === 1) {
      if (isNamed.has(typed)) options.unshift(typedMeaning(typed));
      if (vocabulary.regionsWith([typed]).length > 0)
        options.push({ ...typedMeaning(typed), kind: 'region', search: '' });
      options.push(...attributesOf(typed));
      if (options.length === 0) options.push(...begun(typed));
      const isAbsent = vocabulary.absentCountry(typed) !== undefined;
      const nearest = options.length === 0 && !isAbsent ? vocabulary.nearest(typed) : [];
      if (nearest.length > 0)
        near.set(
          typed,
          nearest.map((word) => vocabulary.written(word)),
        );
      for (const word of nearest) {
        const [meaning] = translated(word);
        const slip = { kind: 'slip', typed, search: word, shown: vocabulary.written(word) } as const;
        if (namedWords(catalogue, [word]).has(word)) options.push(slip);
        else if (meaning !== undefined) options.push({ ...meaning, kind: 'slip', typed });
        else options.push({ ...slip, kind: 'region', search: '' });
      }
    } else {
      options.push(...attributesOf(typed));
      // Two names beside each other may be that of something else.
      if (words.slice(at, at + length).every((word) => isNamed.has(word))) options.push(typedMeaning(typed));
    }
    found.push({ typed, options });
    at += length;
  }
  return found;
}

/** The words that begin one in a name, or are codes of countries. */
function namedWords({ dictionaries }: CatalogueSnapshot, words: readonly string[]): Set<string> {
  const named = new Set<string>();
  for (const batch of batchesOf(words, MAX_WORDS)) {
    const { inCommodity, inMarket, inCountry } = wordsInNames(dictionaries, batch);
    let bits = 0;
    for (const found of [inCommodity, inMarket, inCountry]) for (const each of found) bits |= each;
    for (const [bit, word] of batch.entries()) if ((bits & (1 << bit)) !== 0) named.add(word);
  }
  return named;
}

/** Choices of one of each, those with the likeliest first. */
function combinations(options: readonly (readonly Meaning[])[]): Meaning[][] {
  let all: { chosen: Meaning[]; cost: number }[] = [{ chosen: [], cost: 0 }];
  for (const meanings of options)
    all = all
      .flatMap(({ chosen, cost }) =>
        meanings.map((meaning, index) => ({ chosen: [...chosen, meaning], cost: cost + index })),
      )
      .sort((one, other) => one.cost - other.cost)
      .slice(0, MAX_TRIED);
  return all.map(({ chosen }) => chosen);
}

/** Null where no region has all the words that are those of one, or two are of one filter. */
function understoodBy(
  meanings: readonly Meaning[],
  vocabulary: Vocabulary,
  isShorter: boolean,
): Understood | null {
  const ofRegion = meanings.filter(({ kind }) => kind === 'region');
  const regions =
    ofRegion.length === 0 ? [] : vocabulary.regionsWith(ofRegion.map(({ shown }) => foldForSearch(shown)));
  if (ofRegion.length > 0 && (regions.length === 0 || regions.length > MAX_REGIONS)) return null;
  const attributes = meanings.flatMap(({ attribute }) => attribute ?? []);
  const filters = new Map<ReadFilter, readonly (string | number)[]>(
    attributes.map(({ filter, values }) => [filter, values]),
  );
  if (filters.size < attributes.length) return null;
  const filterWords = new Map<ReadFilter, readonly string[]>(
    attributes.map(({ filter, shown }) => [filter, shown]),
  );
  if (ofRegion.length > 0) {
    filters.set('admin_units', regions);
    filterWords.set(
      'admin_units',
      ofRegion.map(({ shown }) => shown),
    );
  }
  return {
    search: meanings.flatMap(({ search }) => (search === '' ? [] : [search])).join(' '),
    filters,
    parts: meanings
      .filter(({ kind }) => kind !== 'region' && kind !== 'attribute')
      .map(({ search, shown }) => ({ search, shown })),
    filterWords,
    slips: meanings.flatMap(({ kind, typed, shown }) =>
      kind === 'slip' || (kind === 'region' && foldForSearch(shown) !== typed)
        ? [{ typed, meant: shown }]
        : [],
    ),
    isReworded: isShorter || meanings.some(({ typed, search }) => typed !== search),
  };
}

/** `beans` also finds `Bean`; words that begin so are found by the one that is typed. */
const singular = (word: string) => word.replace(/toes$/, 'to').replace(/s$/, '');
