import { distance } from 'fastest-levenshtein';
import { foldForSearch, searchWords } from '../lib/text/folding.js';
import { NotFound } from '../platform/errors/api-error.js';
import type { CatalogueSnapshot } from '../price-series/catalogue/catalogue-snapshot.js';
import { wordsInNames } from '../price-series/catalogue/series-query.js';

/** Names that are suggested in place of an unknown one. */
const NEAREST = 5;

/**
 * The ISO 3166 codes of the countries that a text names.
 * @throws NotFound with the nearest names
 */
export function countriesNamed(catalogue: CatalogueSnapshot, text: string): string[] {
  const { countries, countryLabels } = catalogue.dictionaries.marketIndex;
  const words = searchWords(text);
  const { inCountry } = wordsInNames(catalogue.dictionaries, words);
  const found = [...countries.keys()].filter((index) => hasAll(inCountry[index]!, words));
  if (found.length === 0) throw unknown('country', text, countryLabels);
  return whole(text, found, (index) => countryLabels[index]!).map((index) => countries[index]!);
}

/** The ids of the commodities that a text names. @throws NotFound with the nearest names */
export function commoditiesNamed(catalogue: CatalogueSnapshot, text: string): number[] {
  const words = searchWords(text);
  const { inCommodity } = wordsInNames(catalogue.dictionaries, words);
  return recordsNamed(catalogue, 'commodity', text, (index) => hasAll(inCommodity[index]!, words));
}

/** The ids of the markets that a text names. @throws NotFound with the nearest names */
export function marketsNamed(catalogue: CatalogueSnapshot, text: string): number[] {
  const words = searchWords(text);
  const { inMarket } = wordsInNames(catalogue.dictionaries, words);
  return recordsNamed(catalogue, 'market', text, (index) => hasAll(inMarket[index]!, words));
}

/** The ids of the price types that a text names. @throws NotFound with the nearest names */
export function priceTypesNamed(catalogue: CatalogueSnapshot, text: string): number[] {
  const wanted = foldForSearch(text);
  const types = catalogue.dictionaries.of('price_type');
  const isNamed = (index: number) => wanted !== '' && foldForSearch(types.at(index).name).startsWith(wanted);
  return recordsNamed(catalogue, 'price_type', text, isNamed);
}

function recordsNamed(
  { dictionaries }: CatalogueSnapshot,
  table: 'commodity' | 'market' | 'price_type',
  text: string,
  isNamed: (index: number) => boolean,
): number[] {
  const { records } = dictionaries.of(table);
  const names = records.map(({ name }) => name);
  const found = [...records.keys()].filter(isNamed);
  if (found.length === 0) throw unknown(table.replace('_', ' '), text, names);
  return whole(text, found, (index) => names[index]!).map((index) => records[index]!.id);
}

/** Whether a bit set has all words, and there are any: blanks name nothing. */
const hasAll = (found: number, words: readonly string[]) =>
  words.length > 0 && found === 2 ** words.length - 1;

/** Only those whose whole name is the text, if there are any: "Niger" is not Nigeria. */
function whole(text: string, found: number[], nameOf: (index: number) => string): number[] {
  const wanted = foldForSearch(text);
  const same = found.filter((index) => foldForSearch(nameOf(index)) === wanted);
  return same.length > 0 ? same : found;
}

function unknown(kind: string, text: string, names: readonly string[]): NotFound {
  const nearest = nearestNames(text, names);
  const hint = nearest.length === 0 ? '' : ` The nearest names are: ${nearest.join('; ')}.`;
  return new NotFound(`No ${kind} is called "${text}".${hint}`);
}

/** The names that are most like a text: as a whole, or one of their words. */
export function nearestNames(text: string, names: readonly string[]): string[] {
  const wanted = foldForSearch(text);
  const far = Math.ceil(wanted.length / 3);
  return [...new Set(names)]
    .map((name) => {
      const folded = foldForSearch(name);
      // The distance is at least the difference of the lengths; there are many names.
      const parts = [folded, ...folded.split(/[^\p{L}\p{N}]+/u)].filter(
        (part) => part !== '' && Math.abs(part.length - wanted.length) <= far,
      );
      return { name, distance: Math.min(...parts.map((part) => distance(wanted, part))) };
    })
    .filter((each) => each.distance <= far)
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, NEAREST)
    .map(({ name }) => name);
}
