import { plainWords } from '../../lib/text/folding.js';
import type { CatalogueSnapshot } from '../catalogue/catalogue-snapshot.js';
import type { Ranks } from '../catalogue/series-order.js';
import { wordsInNames } from '../catalogue/series-query.js';

/** How well a name is matched by the words that it has: the better, the lower. */
const SAME = 0;
const BEGINS = 1;
const HAS_WORD = 2;
const HAS_BEGINNING = 3;
const NONE = 4;

/** Words that are looked at: one bit each. */
const MAX_WORDS = 31;

/**
 * How well the names of a series match a search: those that are its words come before those that
 * begin with them, then names with such words, then those with longer ones.
 */
export function matchRanks({ dictionaries, columns }: CatalogueSnapshot, search: string): Ranks {
  const words = plainWords(search).slice(0, MAX_WORDS);
  const { countryCodes, countryLabels, countryOf } = dictionaries.marketIndex;
  const { inCommodity, inMarket, inCountry } = wordsInNames(dictionaries, words);
  // Most names have none of the words.
  const ranks = (found: Uint32Array, rank: (index: number) => number) =>
    Uint8Array.from(found, (bits, index) => (bits === 0 ? NONE : rank(index)));
  const [commodities, markets] = [dictionaries.of('commodity'), dictionaries.of('market')];
  const ofCommodity = ranks(inCommodity, (index) => rankOf(commodities.at(index).name, words));
  const ofMarket = ranks(inMarket, (index) => rankOf(markets.at(index).name, words));
  const ofCountry = ranks(inCountry, (index) =>
    countryCodes[index]!.some((code) => words.includes(code)) ? SAME : rankOf(countryLabels[index]!, words),
  );
  return {
    count: 3 * NONE + 1,
    at(row) {
      const market = columns.market[row]!;
      return ofCommodity[columns.commodity[row]!]! + ofMarket[market]! + ofCountry[countryOf[market]!]!;
    },
  };
}

function rankOf(name: string, words: readonly string[]): number {
  const own = plainWords(name);
  const isWhole = (word: string) => words.includes(word);
  if (own.some(isWhole)) return own.every(isWhole) ? SAME : isWhole(own[0]!) ? BEGINS : HAS_WORD;
  return own.some((each) => words.some((word) => each.startsWith(word))) ? HAS_BEGINNING : NONE;
}
