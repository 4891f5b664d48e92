import { monthOf } from '../../lib/dates/calendar-date.js';
import { greatCircle, type Place } from '../../lib/geography/great-circle.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { html, type Html } from '../../web/html.js';
import { monthText, shortNumber } from '../../web/numbers.js';
import { deskTexts } from '../texts.js';

const texts = deskTexts.likeness;

/** Kilometres beyond which two markets are hardly one. */
const MAX_KILOMETRES = 10;

/** The first and the last day of prices, as day numbers. */
export interface DaySpan {
  readonly start: number;
  readonly end: number;
}

/** Where two records or series are, and of which time their prices are; null: not known. */
export interface Likeness {
  readonly places: readonly [Coordinates, Coordinates] | null;
  readonly spans: readonly [DaySpan | null, DaySpan | null] | null;
}

/** Coordinates of a market. */
export interface Coordinates {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** The days from the first to the last price of some series; null for none. */
export function daySpan(catalogue: CatalogueSnapshot, rows: Iterable<number>): DaySpan | null {
  let span: DaySpan | null = null;
  for (const row of rows)
    for (const { start, end } of catalogue.periodicityAt(row))
      span =
        span === null ? { start, end } : { start: Math.min(span.start, start), end: Math.max(span.end, end) };
  return span;
}

/** How far apart two records are, and whether their prices are of the same time, in sentences. */
export function likenessNotes({ places, spans }: Likeness): Html {
  return html`${places === null ? null : distanceNote(...places)}
  ${spans === null ? null : spanNote(...spans)}`;
}

function distanceNote(from: Coordinates, to: Coordinates): Html {
  const [one, other] = [placeOf(from), placeOf(to)];
  if (one === null || other === null) return html`<p>${texts.unplaced}</p>`;
  const kilometres = greatCircle(one, other);
  const distance = kilometres < 1 ? texts.near : texts.apart(shortNumber(Math.round(kilometres * 10) / 10));
  return kilometres > MAX_KILOMETRES
    ? html`<p class="error" role="alert">${distance} ${texts.far}</p>`
    : html`<p>${distance}</p>`;
}

const placeOf = ({ latitude, longitude }: Coordinates): Place | null =>
  latitude === null || longitude === null ? null : { latitude, longitude };

function spanNote(one: DaySpan | null, other: DaySpan | null): Html {
  if (one === null || other === null)
    return html`<p>${one === other ? texts.noPrices : texts.onlyOne(spanText((one ?? other)!))}</p>`;
  const common = { start: Math.max(one.start, other.start), end: Math.min(one.end, other.end) };
  const both = common.start <= common.end ? texts.common(spanText(common)) : texts.apartInTime;
  return html`<p>${texts.spans(spanText(one), spanText(other))} ${both}</p>`;
}

function spanText({ start, end }: DaySpan): string {
  const [from, to] = [start, end].map((day) => monthText(monthOf(day)));
  return from === to ? from! : texts.range(from!, to!);
}
