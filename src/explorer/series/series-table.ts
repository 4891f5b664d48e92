import { monthOf } from '../../lib/dates/calendar-date.js';
import { html, type Html } from '../../web/html.js';
import { columnFormat, dateOf, exact, shortNumber, wholeNumber } from '../../web/numbers.js';
import { paged } from '../../web/paging.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { pointAddress } from '../points/point-state.js';
import { texts } from '../texts.js';
import type { Ratings } from './rating-view.js';
import { unitText } from './series-names.js';
import { PAGE_MEASURES, seriesAddress } from './series-state.js';
import type { PricedPoint, SeriesView } from './series-view.js';

/** Rows that are seen at once. */
const NEWEST = 24;
/** Rows that a page has at most, the older ones folded; more are on pages of their own. */
const MAX_FOLDED = 264;
/** Rows of each of these. */
const PAGE_SIZE = 100;

const ratingFormat = columnFormat([0.01]);

/**
 * The numbers of the charts, newest first, each with a link to what it was made of.
 * @param ratings of the months, where they are shown; null for other frequencies
 * @param page undefined for the newest rows with the older ones folded
 * @throws NotFound past the last page
 */
export function pricesTable(view: SeriesView, ratings: Ratings | null, page: number | undefined): Html {
  const { state, rows } = view;
  const count = wholeNumber(rows.length);
  const heading = html`<h2>${texts.table}</h2>`;
  if (page !== undefined) {
    const { items, links } = paged(rows, page, PAGE_SIZE, (to) => seriesAddress(state, { page: to ?? 1 }));
    return html`${heading} ${rowsTable(view, ratings, items, texts.tableNote(count, unitText(view)))} ${links}`;
  }
  if (rows.length <= NEWEST)
    return html`${heading} ${rowsTable(view, ratings, rows, texts.tableNote(count, unitText(view)))}`;
  const { newestRows, older, olderRows, allRows } = texts.seriesPage;
  const rest = rows.length <= MAX_FOLDED ? rows.slice(NEWEST) : null;
  return html`${heading} ${rowsTable(view, ratings, rows.slice(0, NEWEST), newestRows(count, unitText(view)))}
  ${
    rest === null
      ? html`<p><a href="${seriesAddress(state, { page: 1 })}">${allRows(count)}</a></p>`
      : html`<details>
          <summary>${older(wholeNumber(rest.length))}</summary>
          ${rowsTable(view, ratings, rest, olderRows)}
        </details>`
  }`;
}

function rowsTable(
  { state, rows, entry, realBase }: SeriesView,
  ratings: Ratings | null,
  items: readonly PricedPoint[],
  caption: string,
): Html {
  // Of all rows, so that tables below each other have the same decimals.
  const formats = PAGE_MEASURES.map((measure) => columnFormat(rows.map((row) => row[measure])));
  const explained = ({ date }: PricedPoint) =>
    html`<a href="${pointAddress({ ...state, date })}">${dateOf(date)}</a>`;
  const shown = items.map((row) => {
    const { ifpa = null, alps = null } = ratings?.get(monthOf(row.day)) ?? {};
    return [
      explained(row),
      ...PAGE_MEASURES.map((measure, index) => exact(row[measure], formats[index])),
      ...(ratings === null
        ? []
        : [ifpa, alps].map((rating) => exact(row.partial ? null : rating, ratingFormat))),
      html`${remarksOf(row)}`,
    ];
  });
  const columns = [
    textColumn(texts.date),
    ...PAGE_MEASURES.map((measure) => numberColumn(texts.column[measure](entry.currency, realBase))),
    ...(ratings === null ? [] : Object.values(texts.seriesPage.ratingLines).map(numberColumn)),
    textColumn(texts.remarks),
  ];
  return table(caption, columns, shown);
}

/** What is to be said of a point: in a table, and at its mark in the chart. */
export function remarksOf({
  partial,
  provisional,
  flags,
  otherReal,
  correction,
  comment,
}: PricedPoint): string {
  const corrected =
    correction === null
      ? ''
      : texts.seriesPage.correctedFrom(correction.base === null ? null : shortNumber(correction.base));
  const otherBase =
    otherReal === null || otherReal.value === null
      ? ''
      : texts.seriesPage.otherReal(shortNumber(otherReal.value), texts.indexBase(otherReal.base));
  return [
    partial ? texts.notOver : '',
    provisional ? texts.provisional : '',
    otherBase,
    flags.join(', '),
    corrected,
    comment,
  ]
    .filter((text) => text !== '')
    .join('; ');
}
