import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';

/** A commodity that leads to its page. */
export interface CommodityName {
  readonly id: number;
  readonly name: string;
}

/** Digits of a heading of the Harmonized System. */
const HEADING_DIGITS = 4;

/** The first word of a name, in lower case: `maize` of "Maize (white)". */
const firstWord = (name: string) => /^[\p{L}\p{N}]+/u.exec(name)?.[0].toLowerCase() ?? '';

/**
 * Other commodities of the same HS heading, or whose names begin with the same word, by name.
 * @param rows the series among which they are looked for
 * @param row a series of the commodity
 */
export function relatedCommodities(
  catalogue: CatalogueSnapshot,
  rows: Iterable<number>,
  row: number,
): CommodityName[] {
  const own = catalogue.referenceAt('commodity', row);
  const heading = own.hs_code?.slice(0, HEADING_DIGITS);
  const word = firstWord(own.name);
  const found = new Map<number, CommodityName>();
  for (const each of rows) {
    const { id, name, hs_code } = catalogue.referenceAt('commodity', each);
    if (id === own.id || found.has(id)) continue;
    const isSameHeading = heading?.length === HEADING_DIGITS && hs_code?.startsWith(heading);
    if (isSameHeading || (word !== '' && firstWord(name) === word)) found.set(id, { id, name });
  }
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}
