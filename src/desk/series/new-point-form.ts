import { randomUUID } from 'node:crypto';
import { hidden, select } from '../../web/form.js';
import { html, type Html } from '../../web/html.js';
import { texts as pageTexts } from '../../explorer/texts.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import { periodNames } from '../../price-series/periodicity.js';
import { deskForm, fieldErrors, formErrors, inputField, messagesOf } from '../layout/desk-form.js';
import type { DeskSession } from '../session/desk-session.js';
import { deskSeriesTexts as texts } from '../texts/series.js';
import type { DeskSeriesView } from './desk-series-view.js';
import { deskSeriesAddress, windowOf } from './series-address.js';

/** The fields of a new price. */
export const NEW_POINT_FIELDS = ['date', 'periodicity', 'price_value', 'comment'] as const;

/** The form of a new price as it was sent, and why it was not accepted. */
export interface SentPoint {
  readonly form: URLSearchParams;
  readonly error: ApiError;
}

/** The form that adds a missing price; its key makes one of it, however often it is sent. */
export function newPointForm(
  { series: { state }, query }: DeskSeriesView,
  sent: SentPoint | null,
  session: DeskSession,
): Html {
  const errors = sent?.error.errors ?? [];
  const value = (name: string) => sent?.form.get(name) ?? '';
  const input = (label: string, name: string, type = 'text', required = false) =>
    inputField({ label, name, value: value(name), type, required }, errors);
  const periods = periodNames.map((name) => [name, pageTexts.period[name]] as const);
  const fields = html`${hidden('key', sent?.form.get('key') ?? randomUUID())}
    ${input(texts.date, 'date', 'date', true)}
    <div>
      ${select(texts.frequency, 'periodicity', value('periodicity') || state.periodicity, periods)}
      ${fieldErrors('periodicity', messagesOf('periodicity', errors))}
    </div>
    ${input(texts.price, 'price_value', 'text', true)} ${input(texts.comment, 'comment')}
    ${input(texts.reason, 'reason')}`;
  const action = deskSeriesAddress(state.uuid, windowOf(query), '/points');
  return html`<section>
    <h2>${texts.add}</h2>
    ${formErrors(sent?.error ?? null, [...NEW_POINT_FIELDS, 'reason'])}
    ${deskForm({ action, fields, submit: texts.addSubmit }, session)}
  </section>`;
}
