import type { AddressValues } from '../../web/address.js';
import { html, type Html } from '../../web/html.js';
import { texts } from '../texts.js';

/** The dates of a chart as an address has them. */
export interface DateRange {
  readonly start_date: string | undefined;
  readonly end_date: string | undefined;
}

/** Whether a date, `YYYY-MM-DD`, is one that the chart shows. */
export const isInRange = (date: string, { start_date: start, end_date: end }: DateRange): boolean =>
  (start === undefined || date >= start) && (end === undefined || date <= end);

/** The newest years that links lead to. */
const YEARS = [1, 5, 10];

/**
 * Links to the newest years of a chart, and to all of it: of those that are shorter than all.
 * @param first the first date with a price, @param newest the newest one; null without prices
 * @param address of the page with other dates
 */
export function rangeLinks(
  first: string | null,
  newest: string | null,
  chosen: DateRange,
  address: (change: AddressValues) => string,
): Html | null {
  if (first === null || newest === null) return null;
  const ranges = YEARS.map((years) => ({
    text: texts.range.years(years),
    start: yearsBefore(newest, years),
  })).filter(({ start }) => start > first);
  if (ranges.length === 0 && chosen.start_date === undefined && chosen.end_date === undefined) return null;
  const links = [...ranges, { text: texts.range.all, start: undefined }].map(({ text, start }) => {
    const isChosen = chosen.start_date === start && chosen.end_date === undefined;
    const target = address({ start_date: start, end_date: undefined });
    return html`<a href="${target}" ${isChosen ? CURRENT : null}>${text}</a> `;
  });
  return html`<nav class="pages" aria-label="${texts.range.label}">${links}</nav>`;
}

const CURRENT = html`aria-current="true"`;

/** The same day of an earlier year; that of 29 February is the 28th where there is none. */
function yearsBefore(date: string, years: number): string {
  const year = String(Number(date.slice(0, 4)) - years).padStart(4, '0');
  const day = date.slice(4);
  return year + (day === '-02-29' && years % 4 !== 0 ? '-02-28' : day);
}
