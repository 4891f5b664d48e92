/*
 * Comparison of texts. Case folding is done here and not by the database, so that every engine
 * returns the same results.
 */

/** Accents and other marks of any script, but not Indic vowel signs, which are letters. */
const ACCENTS = /\p{Script=Inherited}+/gu;

/** The form in which filters compare texts: normal form C, trimmed, in lower case, with accents. */
export function foldText(text: string): string {
  return text.normalize('NFC').trim().toLowerCase().normalize('NFC');
}

/** The form in which `search` compares words: case-folded, without accents. */
export function foldForSearch(text: string): string {
  // Accents are removed last: lower case may add one (İ becomes i with a combining dot).
  return text.toLowerCase().normalize('NFD').replace(ACCENTS, '').trim();
}

/** The distinct words of a search, in the form of `foldForSearch`. */
export function searchWords(text: string): string[] {
  return [...new Set(foldForSearch(text).split(/\s+/u))].filter((word) => word !== '');
}
