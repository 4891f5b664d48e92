import { withPlainDigits } from '../../plain-digits.js';
import { isQuarter } from '../../long-periods.js';
import { type Money, moneyOf } from '../values/money.js';
import { footnoteOf } from './footnotes.js';

/** A number, with what stands before and behind it; a point behind a letter is no decimal one. */
const AROUND =
  /^((?:[^\d+\-.,]*[\p{L}/]\.\s*)*[^\d+\-.,]*)([-+]?[.,]?\d(?:[\d.,\s'’]*\d)?[.,]?)((?:[^\d.,\s][^\d]*)?|\s+[^\d]*)$/u;

/** A number in a cell, with the money that stands around it. */
interface CellMoney {
  readonly number: string;
  /** As it is written; '' for a number alone. */
  readonly sign: string;
  /** What the sign says; null where it is none of a known currency. */
  readonly money: Money | null;
}

/** Reads a cell as a number with or without money; null for other texts. */
export function moneyOfCell(text: string): CellMoney | null {
  const plain = withoutFootnote(text);
  const [, before = '', number = '', behind = ''] = AROUND.exec(plain) ?? [];
  if (number === '') return null;
  const first = before.trim();
  const last = behind.trim().replace(/^\/[-=]$|^-$/, '');
  if (first === '' && last === '') return { number: number.trim(), sign: '', money: null };
  // `Q 1` is a quarter, and `S1` may be a size: a letter alone stands apart, or before decimals.
  if (
    isQuarter(plain) ||
    (/^\p{L}$/u.test(before) && !/[.,]\d/.test(number)) ||
    (/^\p{L}$/u.test(last) && last !== 'F')
  )
    return null;
  const found = [first, last]
    .filter((sign) => sign !== '')
    .map((sign) => ({ sign, money: moneyOfSign(sign) }));
  if (found.some(({ money }) => money === undefined)) return null;
  const said = found.flatMap((one) => one.money ?? []);
  const money =
    said.length === 0
      ? null
      : {
          currency: said.find(({ currency }) => currency !== null)?.currency ?? null,
          unit: said.find(({ unit }) => unit !== null)?.unit ?? null,
        };
  return { number: number.trim(), sign: found.map(({ sign }) => sign).join(' '), money };
}

/** What a sign beside a number says; null for one of an unknown currency, undefined for none. */
function moneyOfSign(sign: string): Money | null | undefined {
  const money = moneyOf(sign) ?? moneyOf(sign.replace(/\.$/, ''));
  if (money !== null) return money.currency !== null || sign.startsWith('/') ? money : undefined;
  return /^(?:\p{Sc}|[A-Z]{1,3}\$)$/u.test(sign) ? null : undefined;
}

/**
 * A number without the sign or code of a currency around it, and that of a footnote behind it; the
 * text itself for others.
 */
export const bareNumber = (text: string): string => moneyOfCell(text)?.number ?? withoutFootnote(text);

/** Whether money stands around a number. */
export const hasMoney = (text: string): boolean => (moneyOfCell(text)?.sign ?? '') !== '';

/** A number with the digits and signs of ASCII, where it has Arabic ones. */
const plainSigns = (text: string): string =>
  withPlainDigits(text.trim()).replaceAll(ARABIC_DECIMAL, ',').replaceAll(ARABIC_GROUP, '.');

/** The decimal sign of Arabic numbers, and what stands between their thousands. */
export const ARABIC_DECIMAL = '\u066b';
export const ARABIC_GROUP = '\u066c';

const withoutFootnote = (text: string): string => {
  const plain = plainSigns(text);
  return footnoteOf(plain)?.number ?? plain;
};
