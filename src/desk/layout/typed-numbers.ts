import { decimalEvidence, plainNumber } from '../../import/formats/convention/number-signs.js';
import type { Violation } from '../../platform/errors/api-error.js';
import { html, type Html } from '../../web/html.js';
import { deskTexts } from '../texts.js';

const texts = deskTexts.numbers;

/** The two numbers that a text such as `6,220` may be, as texts that can be no other number. */
interface NumberReadings {
  readonly whole: string;
  readonly decimal: string;
}

/**
 * Reads a number as people type it, `6 220`, `6,220.50` or `6.220,50`, into JavaScript's digits.
 * @param isSmall whether the field has numbers below 1000 only, such as degrees
 * @returns both readings of one whose only sign stands before its last three digits; other texts
 * as they are
 */
export function readTypedNumber(text: string, isSmall = false): string | NumberReadings {
  const trimmed = text.trim();
  const evidence = decimalEvidence(trimmed, isSmall);
  if (evidence === 'other') return trimmed;
  if (evidence !== 'either') return plainNumber(trimmed, evidence === 'comma' ? 'comma' : 'point', isSmall)!;
  // Four decimals are no thousands.
  return { whole: wholeOf(trimmed), decimal: `${decimalOf(trimmed)}0` };
}

const wholeOf = (text: string) => plainNumber(text, text.includes(',') ? 'point' : 'comma')!;
const decimalOf = (text: string) => plainNumber(text, text.includes(',') ? 'comma' : 'point')!;

/** The number of a text that has one reading alone, or that JavaScript reads; else NaN. */
export function typedNumber(text: string): number {
  if (text.trim() === '') return NaN;
  const read = readTypedNumber(text);
  return Number(typeof read === 'string' ? read : text);
}

const READING = 'reading.';

/** What the form has in place of a text whose reading was chosen; the text itself otherwise. */
export function chosenReading(text: string, reading: string | null | undefined): string {
  const read = readTypedNumber(text);
  const isChosen = typeof read !== 'string' && (reading === read.whole || reading === read.decimal);
  return isChosen ? reading : text;
}

/** The name of the choice between the readings of a field. */
export const readingName = (field: string): string => READING + field;

/** Puts the chosen readings of a form in place of what was typed. */
export function chooseReadings(form: URLSearchParams): void {
  for (const name of [...form.keys()].filter((each) => each.startsWith(READING))) {
    const field = name.slice(READING.length);
    const text = form.get(field);
    if (text !== null) form.set(field, chosenReading(text, form.get(name)));
    form.delete(name);
  }
}

/** The violation of a field whose number may be two. */
export const openReading = (name: string, text: string, { whole, decimal }: NumberReadings): Violation => ({
  in: 'body',
  name,
  code: 'invalid_number',
  detail: texts.either(text.trim()),
  allowed: [whole, decimal],
});

/** The choice between the readings of a field; null where its number is clear. */
export function readingChoice(field: string, errors: readonly Violation[]): Html | null {
  const open = errors.find(
    ({ name, code, allowed }) => name === field && code === 'invalid_number' && allowed,
  );
  if (open === undefined) return null;
  const [whole, decimal] = open.allowed as [string, string];
  const choice = (value: string, text: string) =>
    html`<label class="inline"
      ><input type="radio" name="${readingName(field)}" value="${value}" /> ${text}</label
    >`;
  return html`<fieldset>
    <legend>${texts.choose}</legend>
    ${choice(whole, texts.whole(whole))} ${choice(decimal, texts.decimal(decimal.slice(0, -1)))}
  </fieldset>`;
}
