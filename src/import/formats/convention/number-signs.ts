/** The decimal sign of a file, as the option names it. */
export type DecimalSign = 'comma' | 'point';

export const DECIMAL_SIGNS = ['comma', 'point'] as const satisfies readonly DecimalSign[];

/**
 * What a text says of the decimal sign of its file: `none` reads alike with either, `either` is a
 * number of thousands with one sign and a decimal with the other, `other` is no number.
 */
type NumberEvidence = DecimalSign | 'none' | 'either' | 'other';

/** Digits in groups of three, or as in India of two before the last three. */
const GROUPS = String.raw`\d{1,3}(?:(?:G\d{3})+|(?:G\d{2})+G\d{3})`;
const grouped = (sign: string) => new RegExp(`^${GROUPS.replaceAll('G', sign)}$`);
const GROUPED = { ',': grouped(','), '.': grouped(String.raw`\.`) };
/** Blanks, also narrow and unbreakable ones, and apostrophes are only between thousands. */
const BLANK_GROUPS = /^\d{1,3}(?:[ \u00a0\u2007\u2009\u202f'\u2019]\d{3})+(?![\d])/;
const BLANKS = /[ \u00a0\u2007\u2009\u202f'\u2019]/g;
const PARTS = /^'?([+-]?)([\d.,\s'\u2019]+)([eE][+-]?\d{1,3})?$/;
const MAX_LENGTH = 400;

/** The digits and signs of a number without its sign and exponent, and without blanks. */
function bodyOf(text: string): { sign: string; body: string; exponent: string; hadBlanks: boolean } | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return null;
  const parts = PARTS.exec(trimmed.replace('\u2212', '-'));
  if (parts === null) return null;
  const [, sign = '', digits = '', exponent = ''] = parts;
  const hadBlanks = BLANK_GROUPS.test(digits);
  return { sign, body: hadBlanks ? digits.replace(BLANKS, '') : digits, exponent, hadBlanks };
}

/**
 * What a number says of the decimal sign of its file.
 * @param isSmall whether the column has numbers below 1000 only, such as degrees
 */
export function decimalEvidence(text: string, isSmall = false): NumberEvidence {
  const parts = bodyOf(text);
  if (parts === null) return 'other';
  const { body, exponent, hadBlanks } = parts;
  if (/^\d+$/.test(body)) return 'none';
  const last = Math.max(body.lastIndexOf(','), body.lastIndexOf('.'));
  if (last < 0) return 'other';
  const mark = body[last] as ',' | '.';
  const [own, opposite] = mark === ',' ? (['comma', 'point'] as const) : (['point', 'comma'] as const);
  const whole = body.slice(0, last);
  const fraction = body.slice(last + 1);
  if (!/^\d*$/.test(fraction) || (whole === '' && fraction === '')) return 'other';
  const otherMark = mark === ',' ? '.' : ',';
  if (whole.includes(mark)) return GROUPED[mark].test(body) ? opposite : 'other';
  if (whole.includes(otherMark)) return GROUPED[otherMark].test(whole) ? own : 'other';
  if (!/^\d*$/.test(whole)) return 'other';
  const isGroup = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole) && exponent === '';
  return isGroup && !hadBlanks && !isSmall ? 'either' : own;
}

/**
 * A number as JavaScript writes it: with a decimal point and no other signs.
 * @returns null for a number that is not written with the decimal sign
 */
export function plainNumber(text: string, decimal: DecimalSign, isSmall = false): string | null {
  const evidence = decimalEvidence(text, isSmall);
  if (evidence === 'other') return text;
  if (evidence !== 'none' && evidence !== 'either' && evidence !== decimal) return null;
  const { sign, body, exponent } = bodyOf(text)!;
  const digits = decimal === 'comma' ? body.replaceAll('.', '').replace(',', '.') : body.replaceAll(',', '');
  return sign + digits + exponent;
}

/** Whether a text is a number with a decimal point, or none, and nothing between thousands. */
export function isPlainNumber(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code >= 48 && code <= 57) || code === 46 || code === 45) continue;
    return false;
  }
  return true;
}
