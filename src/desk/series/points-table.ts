import { hidden } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf, exact, wholeNumber } from '../../web/numbers.js';
import { paged } from '../../web/paging.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { unitText } from '../../explorer/series/series-names.js';
import type { PricedPoint } from '../../explorer/series/series-view.js';
import type { ApiError, Violation } from '../../platform/errors/api-error.js';
import { fieldErrors, formErrors, inputField, messagesOf, tokenField } from '../layout/desk-form.js';
import { readingChoice } from '../layout/typed-numbers.js';
import type { DeskSession } from '../session/desk-session.js';
import { deskSeriesTexts as texts } from '../texts/series.js';
import { type DeskSeriesView, POINTS_PER_PAGE } from './desk-series-view.js';
import { fieldName, tagOf } from './point-edits.js';
import { deskSeriesAddress, windowOf } from './series-address.js';

/** The form of the prices as it was sent, and why it was not accepted. */
export interface SentPoints {
  readonly form: URLSearchParams;
  readonly error: ApiError;
}

/**
 * The prices of a series as a table in which they are corrected; only for reading where they are
 * calculated.
 * @throws NotFound past the last page
 */
export function pointsTable(view: DeskSeriesView, sent: SentPoints | null, session: DeskSession): Html {
  const { series, query, isDerived } = view;
  const { uuid } = series.state;
  const window = windowOf(query);
  const { items, links } = paged(series.rows, query.page ?? 1, POINTS_PER_PAGE, (to) =>
    deskSeriesAddress(uuid, { ...window, page: to }),
  );
  if (items.length === 0) return html`<p><strong>${texts.noPoints}</strong></p>`;
  const count = wholeNumber(series.rows.length);
  const unit = unitText(series);
  if (isDerived) {
    const rows = items.map(({ date, nominal }) => [dateOf(date), exact(nominal, String)]);
    const columns = [textColumn(texts.date), numberColumn(texts.price)];
    return html`${table(texts.calculatedNote(count, unit), columns, rows)} ${links}`;
  }
  const errors = sent?.error.errors ?? [];
  // Prices that have come meanwhile move others to another page.
  const moved = series.rows.filter(
    (row) => sent?.form.has(fieldName('shown', row.id)) === true && !items.includes(row),
  );
  const rows = [...items, ...moved].map((row) => pointRow(row, uuid, sent, errors));
  const columns = [texts.date, texts.price, texts.comment, texts.looksWrong, texts.remove].map(textColumn);
  const known = errors.map(({ name }) => name ?? '').filter((name) => sent!.form.has(name));
  return html`<form method="post" action="${deskSeriesAddress(uuid, window)}">
    ${tokenField(session)} ${formErrors(sent?.error ?? null, known)}
    ${table(texts.pointsNote(count, unit), columns, rows)} ${links}
    ${inputField({ label: texts.reason, name: 'reason', value: sent?.form.get('reason') ?? '' }, errors)}
    <p><button>${texts.save}</button></p>
  </form>`;
}

/** The fields of a price, with what was sent. */
function pointRow(
  { id, date, nominal, comment, flags }: PricedPoint,
  uuid: string,
  sent: SentPoints | null,
  errors: readonly Violation[],
) {
  const form = sent?.form.get(fieldName('keep', id)) === 'stored' ? null : sent?.form;
  const stored = { price: nominal === null ? '' : String(nominal), comment };
  const cell = (field: 'price' | 'comment', label: string) => {
    const name = fieldName(field, id);
    const messages = messagesOf(name, errors);
    return html`<input
        name="${name}"
        value="${form?.get(name) ?? stored[field]}"
        aria-label="${label}"
        autocomplete="off"
        ${field === 'price' ? DECIMAL : null}
        ${messages.length > 0 ? html`aria-invalid="true" aria-describedby="${name}-error"` : null}
      />${field === 'comment' && stored.comment !== '' && printed(stored.comment)}${fieldErrors(name, messages)}
      ${readingChoice(name, errors)}`;
  };
  const remove = fieldName('remove', id);
  const shown = fieldName('shown', id);
  return [
    html`<a href="${deskSeriesAddress(uuid, {}, `/points/${id}`)}">${dateOf(date)}</a>
      ${hidden(shown, form?.get(shown) ?? tagOf(stored))}`,
    cell('price', texts.priceOf(date)),
    cell('comment', texts.commentOf(date)),
    flags.length === 0 ? '' : nameOf(flags.join(', ')),
    html`<input
      type="checkbox"
      name="${remove}"
      aria-label="${texts.removeOf(date)}"
      ${form?.has(remove) ? CHECKED : null}
    />`,
  ];
}

/** A comment as it is printed: a field shows as much of it as it is wide. */
const printed = (comment: string): Html => html`<span class="printed">${nameOf(comment)}</span>`;

const DECIMAL = html`inputmode="decimal"`;
const CHECKED = html`checked`;
