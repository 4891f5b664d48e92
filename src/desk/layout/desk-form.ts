import { hidden } from '../../web/form.js';
import { type Html, html, type HtmlValue } from '../../web/html.js';
import { ApiError, ValidationError, type Violation } from '../../platform/errors/api-error.js';
import type { DeskSession } from '../session/desk-session.js';
import { FORM_TOKEN } from '../session/form-tokens.js';
import { readingChoice } from './typed-numbers.js';

/** The field that every form of the desk has. */
export const tokenField = ({ formToken }: Pick<DeskSession, 'formToken'>): Html =>
  hidden(FORM_TOKEN, formToken)!;

/** The key of a form that makes something, once however often it is sent; null without one. */
export const formKey = (form: URLSearchParams): string | null =>
  /^[\w-]{1,255}$/.exec(form.get('key') ?? '')?.[0] ?? null;

/** A form that changes something. */
interface DeskForm {
  action: string;
  fields: HtmlValue;
  /** Text of its button. */
  submit: string;
}

/** @param session null for the login alone */
export const deskForm = (
  { action, fields, submit }: DeskForm,
  session: Pick<DeskSession, 'formToken'> | null,
): Html =>
  html`<form method="post" action="${action}" class="stack">
    ${session === null ? null : tokenField(session)} ${fields}
    <div><button>${submit}</button></div>
  </form>`;

/** A field of a form, with what is wrong with its value. */
interface InputField {
  label: string;
  name: string;
  value?: string;
  /** Type of the HTML element; `text` by default. */
  type?: string;
  required?: boolean;
  /** Shown, and not to be changed. */
  readOnly?: boolean;
  /** `autocomplete` of HTML. */
  autocomplete?: string;
  /** `inputmode` of HTML: which keyboard telephones show. */
  inputMode?: 'decimal';
  /** The key that leads to the field, where there are scripts. */
  key?: string;
  /** Shown below it. */
  hint?: string;
}

/** @param errors the violations of the whole form */
export function inputField(field: InputField, errors: readonly Violation[] = []): Html {
  const { label, name, value = '', type = 'text', required, autocomplete = 'off', hint } = field;
  const { inputMode, key, readOnly } = field;
  const messages = messagesOf(name, errors);
  const isInvalid = messages.length > 0 ? html`aria-invalid="true" aria-describedby="${name}-error"` : null;
  return html`<label
      >${label}<input
        type="${type}"
        name="${name}"
        value="${value}"
        autocomplete="${autocomplete}"
        ${required ? html`required` : null}
        ${readOnly ? html`readonly` : null}
        ${inputMode && html`inputmode="${inputMode}"`}
        ${key && html`data-key="${key}" aria-keyshortcuts="${key}"`}
        ${isInvalid}
      />${hint === undefined ? null : html`<span>${hint}</span>`}${fieldErrors(name, messages)}</label
    >${readingChoice(name, errors)}`;
}

/** What is wrong with one field, for other elements than `inputField`. */
export const fieldErrors = (name: string, messages: readonly string[]): Html | null =>
  messages.length === 0
    ? null
    : html`<strong class="error" id="${name}-error">${messages.join(' ')}</strong>`;

/** The messages of the violations of one field. */
export const messagesOf = (name: string, errors: readonly Violation[]): string[] =>
  errors.filter((error) => error.name === name).map(({ detail }) => detail);

/**
 * What a form says when the service did not accept it: the message, and those of fields that the
 * form does not show.
 * @param fields names of the fields whose messages stand beside them
 */
export function formErrors(error: ApiError | null, fields: readonly string[] = []): Html | null {
  if (error === null) return null;
  const others = (error.errors ?? []).filter(({ name }) => !fields.includes(name ?? ''));
  return html`<div class="error" role="alert">
    <p>${error.detail}</p>
    ${
      others.length === 0
        ? null
        : html`<ul>
            ${others.map(({ detail }) => html`<li>${detail}</li>`)}
          </ul>`
    }
  </div>`;
}

/** The labels of the fields of a form, by the names that they have in the API. */
export type FieldLabels = Readonly<Record<string, string>>;

/**
 * An error of a form that its page shows, with what was sent kept in the fields.
 * @param labels what its messages call fields in place of their names
 * @throws the error itself where it is not the sender's
 */
export function shownError(error: unknown, labels: FieldLabels = {}): ApiError {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
  if (!(error instanceof ValidationError)) return error;
  return new ValidationError(error.violations.map((violation) => inLabels(violation, labels)));
}

/** A field's name: the first word of a message, and words with `_` wherever they stand. */
const NAMES = /^\w+|\b[a-z]\w*_\w+\b/g;

/** A violation whose message calls fields by their labels; the fields are those of the form. */
function inLabels(violation: Violation, labels: FieldLabels): Violation {
  const labelOf = (name: string) => (Object.hasOwn(labels, name) ? labels[name]! : name);
  const detail = violation.detail.replace(NAMES, labelOf);
  return detail === violation.detail ? violation : { ...violation, in: 'body', detail };
}
