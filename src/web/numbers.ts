import { isoFromMonth } from '../lib/dates/calendar-date.js';
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

/** Most decimals of a column. */
const MAX_DECIMALS = 8;
/** Smaller ones would read as 0 with so many. */
const LEAST_IN_COLUMN = 0.5 / 10 ** MAX_DECIMALS;
const columnFormats = Array.from(
  { length: MAX_DECIMALS + 1 },
  (_, digits) =>
    new Intl.NumberFormat('en', {
      maximumFractionDigits: digits,
      minimumFractionDigits: digits,
      signDisplay: 'negative',
    }),
);

/**
 * The text of a number in a column, all with as many decimals, so that digits of one size stand
 * below each other: about four digits of the median, two at least of the least value, and no more
 * than any value has.
 */
export function columnFormat(values: readonly (number | null)[]): (value: number) => string {
  const sizes = Float64Array.from(
    values.filter((value) => value !== null && value !== 0) as number[],
    Math.abs,
  ).sort();
  if (sizes.length === 0) return wholeNumber;
  const decimals = (value: number, digits: number) =>
    Math.min(MAX_DECIMALS, Math.max(0, digits - 1 - Math.floor(Math.log10(value))));
  const median = sizes[sizes.length >> 1]!;
  const wanted = Math.max(decimals(median, median < 1 ? 3 : 4), decimals(sizes[0]!, 2));
  let shown = 0;
  for (const size of sizes) {
    shown = Math.max(shown, decimalsOf(size, wanted));
    // Nearly always the first few have as many as are wanted.
    if (shown === wanted) break;
  }
  const format = columnFormats[shown]!;
  const hasTiny = sizes[0]! < LEAST_IN_COLUMN;
  return (value) =>
    hasTiny && value !== 0 && Math.abs(value) < LEAST_IN_COLUMN
      ? smallFormat.format(value)
      : format.format(value);
}

/** From here on `toFixed` writes exponents; such numbers have no decimals. */
const NO_DECIMALS = 1e21;

/** The decimals of a number that are not 0, up to a limit. */
const decimalsOf = (value: number, limit: number) =>
  value >= NO_DECIMALS
    ? 0
    : (value
        .toFixed(limit)
        .replace(/\.?0*$/, '')
        .split('.')[1]?.length ?? 0);

/** A whole number, grouped. */
export const wholeNumber = (value: number): string => formats[0]!.format(value);

const fullFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 15 });

/** A number with all of its digits, grouped: for those who check how it was read. */
export const fullNumber = (value: number): string => fullFormat.format(value);

/** A change as a fraction of 1, in percent with its sign. */
export const percent = (fraction: number): string => percentFormat.format(fraction);

const amountFormat = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** How large a change is as a fraction of 1, in percent without a sign: "18.2%". */
export const unsignedPercent = (fraction: number): string => amountFormat.format(fraction);

/** A share as a fraction of 1, in percent. */
export const share = (fraction: number): string =>
  // 0.575 × 100 is a little less than 57.5.
  `${formats[0]!.format(Number((fraction * 100).toPrecision(12)))}%`;

/** The size of a file, in kilobytes or megabytes of 1000. */
export const byteSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${shortNumber(bytes / 1000)} kB` : `${shortNumber(bytes / 1_000_000)} MB`;

/** A number that programs read exactly as the API gives it; a dash where there is none. */
export const exact = (value: number | null, text: (value: number) => string = shortNumber): Html =>
  value === null
    ? html`<span role="img" aria-label="no value">–</span>`
    : html`<data value="${value}">${text(value)}</data>`;

const monthFormat = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A month in words, such as "July 2023". @param month a month number */
export const monthText = (month: number): string =>
  monthFormat.format(new Date(`${isoFromMonth(month)}-01T00:00:00Z`));

const calendarMonthFormat = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/** The name of a calendar month, 0 for January. */
export const calendarMonthText = (index: number): string => calendarMonthFormat.format(Date.UTC(2001, index));

/** A date as `YYYY-MM-DD`; a dash where there is none. */
export const dateOf = (date: string | null): Html =>
  date === null ? html`–` : html`<time class="nowrap" datetime="${date}">${date}</time>`;
