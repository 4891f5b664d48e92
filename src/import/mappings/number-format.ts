import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { isPlainNumber } from '../formats/convention/number-signs.js';
import { withPlainDigits } from './plain-digits.js';

/** How the numbers of a field are written, in the words of Table Schema, and their factor. */
interface NumberOptions {
  readonly decimalChar?: string | undefined;
  readonly groupChar?: string | undefined;
  readonly bareNumber?: boolean | undefined;
  readonly multiply?: number | undefined;
}

/** Writes a number as JavaScript does; null for a text that is not written as the options say. */
type NumberParser = (text: string) => string | null;

/** Blanks, also narrow and unbreakable ones. */
const BLANK = String.raw`[ \u00a0\u2007\u2009\u202f]`;

const escaped = (sign: string) => (/\s/.test(sign) ? BLANK : sign.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));

/** Longest number in characters. */
const MAX_LENGTH = 400;

/** Signs before a number that is not bare; a point behind a letter is one, as in `Rs.35`. */
const BEFORE = /^(?:[^\d+\-\u2212.,]*[\p{L}/]\.\s*)*[^\d+\-\u2212.,]*/u;
/** Signs behind it, which may end in a point, too. */
const BEHIND = /(?<=\d[.,]?)[^\d.,][^\d]*$/;

/**
 * The parser of numbers. Groups are of three digits, or as in India of two before the last three.
 */
export function numberParser(options: NumberOptions): NumberParser {
  const { decimalChar = '.', groupChar, bareNumber = true, multiply } = options;
  const group = groupChar === undefined ? null : escaped(groupChar);
  const whole =
    group === null
      ? String.raw`\d+`
      : String.raw`(?:\d{1,3}(?:(?:${group}\d{3})+|(?:${group}\d{2})+${group}\d{3})|\d+)`;
  const decimal = escaped(decimalChar);
  const pattern = new RegExp(
    String.raw`^([+-]?)(${whole}|(?=${decimal}\d))(?:${decimal}(\d*))?([eE][+-]?\d{1,3})?$`,
  );
  const isPlain = decimalChar === '.';
  const write = (text: string): string => {
    if (multiply === undefined) return text;
    const value = Number(text) * multiply;
    return Number.isFinite(value) ? String(toSignificantDigits(value)) : text;
  };
  return (given) => {
    if (isPlain && isPlainNumber(given) && /\d/.test(given)) return write(given);
    if (given.length > MAX_LENGTH) return null;
    let text = withPlainDigits(given.trim()).replace('\u2212', '-');
    if (!bareNumber) text = text.replace(BEFORE, '').replace(BEHIND, '');
    const found = pattern.exec(text);
    if (found === null) return null;
    const [, sign = '', digits = '', fraction = '', exponent = ''] = found;
    return write(
      `${sign}${digits.replace(/\D/g, '') || '0'}${fraction === '' ? '' : `.${fraction}`}${exponent}`,
    );
  };
}
