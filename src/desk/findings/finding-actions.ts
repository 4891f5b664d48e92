import { hidden } from '../../web/form.js';
import { html, type Html } from '../../web/html.js';
import { unitText } from '../../explorer/series/series-names.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import { deskForm, formErrors, inputField } from '../layout/desk-form.js';
import type { DeskSession } from '../session/desk-session.js';
import { NotSaved } from '../session/unsaved-forms.js';
import { findingTexts as texts } from '../texts/findings.js';
import { actionAddress, type GivenFilters } from './finding-address.js';
import { PROPOSED, TYPED_FIELDS } from './finding-forms.js';
import type { FindingView } from './finding-views.js';

/** What can be done about a finding. */
export const FINDING_ACTIONS = ['correct', 'remove', 'dismiss', 'open'] as const;
export type FindingAction = (typeof FINDING_ACTIONS)[number];

/** A form that was not accepted. */
export interface SentFindingForm {
  action: FindingAction;
  form: URLSearchParams;
  error: ApiError;
}

interface Options {
  filters: GivenFilters;
  session: DeskSession;
  sent: SentFindingForm | null;
}

/** Whether the price that a finding shows can be corrected. */
export const hasCorrectablePrice = ({ focus, point, series }: FindingView): boolean =>
  focus !== null && series !== null && point !== null;

/** The forms of a finding: those that its state allows. */
export function findingActions(view: FindingView, options: Options): Html | null {
  const { state } = view.finding;
  if (state === 'dismissed') return actionForm(view, 'open', null, options);
  if (state !== 'open') return null;
  const { focus, series } = view;
  const point_ = hasCorrectablePrice(view)
    ? html`${actionForm(view, 'correct', correctFields(view, options.sent), options)}
      ${actionForm(view, 'remove', removeFields(options.sent), options)}`
    : focus !== null && series !== null && html`<p>${texts.noPoint}</p>`;
  return html`<div class="actions">
    ${point_} ${actionForm(view, 'dismiss', dismissFields(options.sent), options)}
  </div>`;
}

function actionForm(
  view: FindingView,
  action: FindingAction,
  fields: Html | null,
  { filters, session, sent }: Options,
): Html {
  const error = sent?.action === action ? sent.error : null;
  return html`<section>
    <h2>${texts[action]}</h2>
    ${formErrors(error, TYPED_FIELDS)}
    ${deskForm(
      {
        action: actionAddress(view.finding.id, action, filters),
        fields: html`${pointFields(view, error instanceof NotSaved ? sent!.form : null)} ${fields}`,
        submit: texts[action],
      },
      session,
    )}
  </section>`;
}

/**
 * Which price the form is about, and what its author has seen of it.
 * @param sent the form where it is shown again as it was
 */
function pointFields({ focus, point }: FindingView, sent: URLSearchParams | null): Html | null {
  if (focus === null || point === null) return null;
  const { uuid, periodicity, date } = focus;
  const seen = { seen_value: String(point.nominal), seen_comment: point.comment };
  return html`${Object.entries({ uuid, periodicity, date, ...seen }).map(([name, value]) =>
    hidden(name, sent?.get(name) ?? value),
  )}`;
}

/** What was sent in a field of a form, and what is wrong with it. */
const sentField = (sent: SentFindingForm | null, action: FindingAction, name: string) =>
  sent?.action === action
    ? { value: sent.form.get(name) ?? '', errors: sent.error.errors ?? [] }
    : { value: undefined, errors: [] };

function correctFields({ finding, series }: FindingView, sent: SentFindingForm | null): Html {
  const price = sentField(sent, 'correct', 'price_value');
  const comment = sentField(sent, 'correct', 'comment');
  const expected = finding.expected === null ? '' : String(finding.expected);
  return html`${hidden(PROPOSED, expected)}
  ${inputField(
    {
      label: texts.price(unitText(series!)),
      name: 'price_value',
      value: price.value ?? expected,
      required: true,
      inputMode: 'decimal',
      key: 'c',
    },
    price.errors,
  )}
  ${inputField(
    { label: texts.comment, name: 'comment', value: comment.value, hint: texts.commentHint },
    comment.errors,
  )}
  ${reasonField(sent, 'correct')}`;
}

const removeFields = (sent: SentFindingForm | null): Html =>
  html`<p class="muted">${texts.removeHow}</p>
    ${reasonField(sent, 'remove')}`;

const dismissFields = (sent: SentFindingForm | null): Html =>
  html`<p class="muted">${texts.dismissHow}</p>
    ${reasonField(sent, 'dismiss', true)}`;

function reasonField(sent: SentFindingForm | null, action: FindingAction, required = false): Html {
  const { value, errors } = sentField(sent, action, 'reason');
  const key = action === 'dismiss' ? 'd' : undefined;
  return inputField(
    { label: texts.reason, name: 'reason', value, required, hint: texts.publicReason, key },
    errors,
  );
}
