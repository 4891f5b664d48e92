/*
 * How texts compare. Folding is done here and not by the database, so that every engine gives the same answer.
 */

/** Accents and other marks that any letter may carry; not the vowel signs that Indic scripts write words with. */
const ACCENTS = /\p{Script=Inherited}+/gu;

/** The form in which texts are equal to a filter: normal form C, trimmed, in small letters, accents kept. */
export function foldText(text: string): string {
  return text.normalize('NFC').trim().toLowerCase().normalize('NFC');
}

/** The form in which `search` looks for words: folded, and without accents. */
export function foldForSearch(text: string): string {
  // Lower case may add an accent (of I with a dot), so they are taken off after it.
  return text.toLowerCase().normalize('NFD').replace(ACCENTS, '').trim();
}

/** The words of a search, in the form of `foldForSearch`, each once. */
export function searchWords(text: string): string[] {
  return [...new Set(foldForSearch(text).split(/\s+/u))].filter((word) => word !== '');
}
