import { countryName, isCountryCode, iso3OfForeignName, iso3OfName } from '../../lib/codes/countries.js';
import { plainWords } from '../../lib/text/folding.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { suggest } from '../../price-series/suggestions/suggestions.js';
import { type NamedPage, suggestedPages } from '../browse/nothing-found.js';
import { texts } from '../texts.js';
import { NoSuchPage, shortened } from './error-page.js';

/** Characters of a name that suggestions take, and suggestions of each kind. */
const MAX_LENGTH = 60;
const MAX_OF_A_KIND = 3;

/** The id in the address of a page; 0, which no record has, for what is none. */
export const idOfPage = (text: string): number => (/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0);

/** The ISO alpha-3 code in the address of a page, in upper or lower case; '' for what is none. */
export const countryOfPage = (text: string): string => (/^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : '');

/**
 * 404 of the page of names that are not there, with those that they may stand for.
 * @param names what all of them together name comes first, or else what each does
 */
export async function noSuchName(catalogue: CatalogueSnapshot, ...names: string[]): Promise<NoSuchPage> {
  const name = names.join(', ');
  let near = await pagesOf(catalogue, name);
  if (near.length === 0 && names.length > 1)
    near = (await Promise.all(names.map((each) => pagesOf(catalogue, each)))).flat();
  return new NoSuchPage(texts.error.noName(shortened(name)), near);
}

/** The same of a country; one that has no prices is called by its name. @param text name or code */
export async function noSuchCountry(catalogue: CatalogueSnapshot, text: string): Promise<NoSuchPage> {
  const near = await pagesOf(catalogue, text);
  const code = text.toUpperCase();
  const iso3 = isCountryCode(code) ? code : (iso3OfName(text) ?? iso3OfForeignName(text));
  const isAbsent = near.length === 0 && iso3 !== null;
  const said = isAbsent ? texts.browse.absent([countryName(iso3)]) : texts.error.noName(shortened(text));
  return new NoSuchPage(said, near);
}

async function pagesOf(catalogue: CatalogueSnapshot, name: string): Promise<NamedPage[]> {
  const words = plainWords(name).join(' ').slice(0, MAX_LENGTH);
  return words === '' ? [] : suggestedPages(await suggest(catalogue, words, MAX_OF_A_KIND));
}
