import { plainWords } from '../../lib/text/folding.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { suggest } from '../../price-series/suggestions/suggestions.js';
import { suggestedPages } from '../browse/nothing-found.js';
import { texts } from '../texts.js';
import { NoSuchPage, shortened } from './error-page.js';

/** Characters of a name that suggestions take, and suggestions of each kind. */
const MAX_LENGTH = 60;
const MOST_OF_A_KIND = 3;

/** 404 of the page of a name that is not there, with those that it may stand for. */
export async function noSuchName(catalogue: CatalogueSnapshot, name: string): Promise<NoSuchPage> {
  const words = plainWords(name).join(' ').slice(0, MAX_LENGTH);
  const near = words === '' ? [] : suggestedPages(await suggest(catalogue, words, MOST_OF_A_KIND));
  return new NoSuchPage(texts.error.noName(shortened(name)), near);
}
