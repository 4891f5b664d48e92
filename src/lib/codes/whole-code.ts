/** A whole number as programs write it that take codes for numbers. */
const WHOLE_WITH_DECIMALS = /^(\d+)\.0+$/;

/** A number of thousands as spreadsheets show it. */
const GROUPED = /^\d{1,3}(?:,\d{3})+$/;

/** A number as spreadsheets shorten it: `7.001E+03`. */
const SHORTENED = /^(\d)(?:[.,](\d+))?E\+?(\d{1,2})$/i;

/** The base period of an index with its value there, as its name is often written. */
const BASE_OF_INDEX = /^\(?(\S[^()]*?)\s*=\s*100(?:\.0+)?\)?$/;

/**
 * A code without what is no part of it: the decimals that a spreadsheet or a data frame has added
 * (`7001.0` is 7001), the signs of a number of thousands (`7,001`, `7.001E+03`), and the value of
 * an index in its base period (`2015=100` is 2015).
 * @returns the text itself where it is a shortened number that has lost digits (`7E+03`)
 */
export function wholeCode(text: string): string {
  if (GROUPED.test(text)) return text.replaceAll(',', '');
  const shortened = shortenedDigits(text);
  if (shortened !== null) return shortened.isWhole ? shortened.digits : text;
  return (WHOLE_WITH_DECIMALS.exec(text) ?? BASE_OF_INDEX.exec(text))?.[1] ?? text;
}

/** Whether a text is a code of which a spreadsheet has left out the last digits: `7E+03`. */
export const isShortenedCode = (text: string): boolean => shortenedDigits(text)?.isWhole === false;

function shortenedDigits(text: string): { digits: string; isWhole: boolean } | null {
  const [, first, others = '', exponent] = SHORTENED.exec(text) ?? [];
  if (first === undefined) return null;
  return { digits: first + others, isWhole: others.length === Number(exponent) };
}
