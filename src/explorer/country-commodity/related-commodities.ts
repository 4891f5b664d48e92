import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { foodNameOf } from '../../price-series/commodity-kinds.js';
import { kindsTogether } from '../../price-series/search/market-coverage.js';

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
 * Other commodities of the same HS heading, or whose names begin with the same word: kinds of the
 * same food first, of these the one with newest prices in most markets.
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
  const found = new Map<number, CommodityName & { readonly rows: number[] }>();
  for (const each of rows) {
    const { id, name, hs_code } = catalogue.referenceAt('commodity', each);
    if (id === own.id) continue;
    const known = found.get(id);
    const isSameHeading = heading?.length === HEADING_DIGITS && hs_code?.startsWith(heading);
    if (known !== undefined) known.rows.push(each);
    else if (isSameHeading || (word !== '' && firstWord(name) === word))
      found.set(id, { id, name, rows: [each] });
  }
  const isKind = ({ name }: CommodityName) => foodNameOf(name) === foodNameOf(own.name);
  return kindsTogether(catalogue, [...found.values()])
    .map(({ id, name }) => ({ id, name }))
    .sort((one, other) => Number(isKind(other)) - Number(isKind(one)));
}
