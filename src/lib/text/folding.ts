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

/** The form in which words are compared: case-folded, without accents. */
export function foldForSearch(text: string): string {
  // Accents are removed last: lower case may add one (İ becomes i with a combining dot).
  return text.toLowerCase().normalize('NFD').replace(ACCENTS, '').trim();
}

/** Before each word of a text, in the form of `markWords`. Occurs in no text that is stored. */
const WORD_START = '\u0001';

/** Scripts that are written without blanks between words. */
const UNSPACED =
  '[\\p{sc=Myanmar}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Tibetan}\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]';

const LETTER = '[\\p{L}\\p{M}\\p{N}]';

/**
 * Where a word may begin: at a letter or digit after something else, at everything that is neither,
 * and, in scripts without blanks, at every letter.
 */
const WORD_STARTS = new RegExp(
  `(?<!${LETTER})(?=.)|(?=.)(?!${LETTER})|(?<=${UNSPACED})(?=\\P{M})|(?=${UNSPACED})(?!\\p{M})`,
  'gsu',
);

/** Arabic words with the article, which is written as one with them. */
const WITH_ARTICLE = new RegExp(`(?<!${LETTER})\u0627\u0644(${LETTER}{2,})`, 'gu');

/**
 * A name in the form in which `search` finds words: it contains the marked form of a word
 * (`markWords`) if one of its words begins with that. Words with the Arabic article are found
 * without it, too.
 */
export function searchableText(name: string): string {
  const folded = foldForSearch(name);
  const bare = Array.from(folded.matchAll(WITH_ARTICLE), ([, word]) => word!);
  return markWords([folded, ...bare].join(' '));
}

/** Marks the beginnings of words in a text in the form of `foldForSearch`. */
export function markWords(folded: string): string {
  return folded.replace(WORD_STARTS, WORD_START);
}

/** The distinct words of a search, in the form of `foldForSearch`. */
export function searchWords(text: string): string[] {
  return [...new Set(foldForSearch(text).split(/\s+/u))].filter((word) => word !== '');
}

const WORDS = new RegExp(`${LETTER}+`, 'gu');

/** The words of a text as they are written, by their form in `plainWords`; the first of each. */
export function writtenWords(text: string): Map<string, string> {
  const words = text.normalize('NFC').match(WORDS) ?? [];
  return new Map(words.reverse().map((word) => [foldForSearch(word), word]));
}

/** The distinct words of a text without punctuation, in the form of `foldForSearch`. */
export function plainWords(text: string): string[] {
  return [...new Set(foldForSearch(text).match(WORDS) ?? [])];
}
