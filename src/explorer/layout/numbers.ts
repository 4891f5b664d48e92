import { type Html, html } from './html.js';

const formats = [0, 1, 2, 3, 4].map(
  (digits) => new Intl.NumberFormat('en', { maximumFractionDigits: digits, minimumFractionDigits: 0 }),
);
const smallFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const percentFormat = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** A number for reading: about four digits, grouped. The exact one stands in its `data` element. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < 0.1) return smallFormat.format(value);
  return formats[size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3]!.format(value);
}

/** A whole number, grouped. */
export const wholeNumber = (value: number): string => formats[0]!.format(value);

/** A change as a fraction of 1, in percent with its sign. */
export const percent = (fraction: number): string => percentFormat.format(fraction);

/** A share as a fraction of 1, in percent. */
export const share = (fraction: number): string => `${formats[0]!.format(fraction * 100)}%`;

/** A number that programs read exactly as the API gives it; a dash where there is none. */
export const exact = (value: number | null, text: (value: number) => string = shortNumber): Html =>
  value === null
    ? html`<span aria-label="no value">–</span>`
    : html`<data value="${value}">${text(value)}</data>`;

/** A date as `YYYY-MM-DD`; a dash where there is none. */
export const dateOf = (date: string | null): Html =>
  date === null ? html`–` : html`<time class="nowrap" datetime="${date}">${date}</time>`;
