/** A number, with the sign of a footnote behind it. */
interface FootnotedNumber {
  readonly number: string;
  readonly footnote: string;
}

/** Signs of footnotes behind a number: `*`, `¹`, `(1)`, `a/`, `1/`. */
const SIGNS =
  /^(.*\d[.,]?)\s*((?:[*†‡§#^¹²³⁰⁴-⁹ªº]+|\((?:\d{1,2}|\p{L}{1,2}|\*{1,3})\)|\[(?:\d{1,2}|\p{L}{1,2}|\*{1,3})\]|\p{L}\/|\s\d{1,2}\/|\s?\p{L}\))+)$/u;

/** Letters behind a number, such as p for provisional; a code such as `12b` is none. */
const LETTERS = /^(.*(?:[.,]\d+|\d{3}))\s?([abepr])$/iu;

/** Longest text that is looked at. */
const MAX_LENGTH = 40;

/**
 * What stands before the sign of a footnote at the end of a text, and the sign; null without one,
 * and for a year, which is a header.
 */
export function footnoteOf(text: string): FootnotedNumber | null {
  if (text.length > MAX_LENGTH) return null;
  const [, number, footnote] = SIGNS.exec(text) ?? LETTERS.exec(text) ?? [];
  if (number === undefined || /^(?:19|20)\d\d$/.test(number.trim())) return null;
  return { number: number.trim(), footnote: footnote!.trim() };
}

/** Whether readers can leave such a sign out: it has nothing that numbers have. */
export const isReadOver = (footnote: string): boolean => !/[\d.,]/.test(footnote);
