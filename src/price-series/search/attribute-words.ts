import { isoCurrency } from '../../lib/codes/currency-aliases.js';
import { plainWords } from '../../lib/text/folding.js';
import type { CatalogueSnapshot } from '../catalogue/catalogue-snapshot.js';
import { isLeftOut, PRICE_TYPE_WORDS, phraseKey } from './word-lists.js';

/** The filters of what people search for and no name of a commodity, market or country has. */
export type AttributeFilter = 'currencies' | 'price_types_ids' | 'sources_ids';

/** A filter that words stand for, and its values as the data have them. */
export interface Attribute {
  readonly filter: AttributeFilter;
  readonly values: readonly (string | number)[];
  readonly shown: readonly string[];
}

/** Languages in which people ask for currencies; in the first one, the last word is the noun. */
const LANGUAGES = ['en', 'fr', 'es', 'pt', 'ar'];
/** Shorter words of the names of sources say little. */
const MIN_SOURCE_WORD = 3;

const currencyNames = LANGUAGES.map(
  (language) => new Intl.DisplayNames([language], { type: 'currency', fallback: 'none' }),
);

/** The currencies, price types and sources of a state of the data, by what they are called. */
export class AttributeWords {
  private readonly attributes = new Map<string, Map<AttributeFilter, Map<string | number, string>>>();

  private constructor(catalogue: CatalogueSnapshot) {
    for (const code of catalogue.currencies)
      for (const phrase of phrasesOfCurrency(code)) this.add(phrase, 'currencies', code, code);
    const { records: types } = catalogue.dictionaries.of('price_type');
    for (const { id, name } of types) {
      const own = plainWords(name);
      const words = own.flatMap((word) => [word, ...(PRICE_TYPE_WORDS.get(word) ?? [])]);
      for (const word of words) this.add(word, 'price_types_ids', id, name.toLowerCase());
    }
    for (const { id, name } of catalogue.dictionaries.of('source').records) {
      const words = plainWords(name).filter((word) => word.length >= MIN_SOURCE_WORD);
      for (const phrase of [phraseKey(name), ...words]) this.add(phrase, 'sources_ids', id, name);
    }
  }

  /** Made once for a state of the data. */
  static of(catalogue: CatalogueSnapshot): AttributeWords {
    let words = known.get(catalogue);
    if (words === undefined) known.set(catalogue, (words = new AttributeWords(catalogue)));
    return words;
  }

  /** What is called so, currencies first. */
  called(phrase: string): Attribute[] {
    return [...(this.attributes.get(phrase) ?? [])].map(([filter, values]) => ({
      filter,
      values: [...values.keys()],
      shown: [...values.values()],
    }));
  }

  private add(phrase: string, filter: AttributeFilter, value: string | number, shown: string): void {
    if (phrase === '' || isLeftOut(phrase)) return;
    let filters = this.attributes.get(phrase);
    if (filters === undefined)
      this.attributes.set(phrase, (filters = new Map<AttributeFilter, Map<string | number, string>>()));
    const values = filters.get(filter);
    if (values === undefined) filters.set(filter, new Map<string | number, string>([[value, shown]]));
    else values.set(value, shown);
  }
}

/** A code, and names such as `Kenyan Shilling` with their nouns: many countries have shillings. */
function phrasesOfCurrency(code: string): string[] {
  const names = currencyNames.flatMap((language, index) => {
    const words = plainWords(language.of(isoCurrency(code)) ?? '');
    const noun = index === 0 ? words.at(-1) : words[0];
    if (noun === undefined) return [];
    return [words.join(' '), noun, `${noun}s`, ...words.filter((word) => word === 'cfa')];
  });
  return [code.toLowerCase(), ...names];
}

const known = new WeakMap<CatalogueSnapshot, AttributeWords>();
