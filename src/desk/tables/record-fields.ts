import { select } from '../../web/form.js';
import { html, type Html } from '../../web/html.js';
import type { Violation } from '../../platform/errors/api-error.js';
import type { Field } from '../../platform/validation/field.js';
import type { ReferenceTable } from '../../reference/base/reference-table.js';
import { fieldErrors, inputField, messagesOf } from '../layout/desk-form.js';
import { deskTexts } from '../texts.js';
import type { FormValues } from './form-values.js';

const { tables: texts } = deskTexts;

/** Texts that may be longer than this have a field of several lines. */
const LONG_TEXT = 500;

/** The fields of a record's form, each with the API's messages about it. */
export const recordFields = (table: ReferenceTable, values: FormValues, errors: readonly Violation[]): Html =>
  html`${[...table.fields].map(([name, field]) => recordField(name, field, values[name] ?? '', errors))}`;

function recordField(name: string, field: Field, value: string, errors: readonly Violation[]): Html {
  const label = texts.field(name);
  const { kind, required, schema } = field;
  if (kind === 'choice' || kind === 'flag') {
    const options =
      kind === 'flag'
        ? ([
            ['false', texts.no],
            ['true', texts.yes],
          ] as const)
        : schema.enum!.map((item) => [item, item] as const);
    return html`<div>
      ${select(label, name, value, options)}${fieldErrors(name, messagesOf(name, errors))}
    </div>`;
  }
  const hint = hintOf(field);
  if (kind === 'text' && (schema.maxLength ?? 0) > LONG_TEXT)
    return longText(name, label, value, hint, errors);
  const type = kind === 'date' ? 'date' : 'text';
  return inputField({ label, name, value, type, required, hint }, errors);
}

function longText(
  name: string,
  label: string,
  value: string,
  hint: string | undefined,
  errors: readonly Violation[],
): Html {
  const messages = messagesOf(name, errors);
  return html`<label
    >${label}<textarea name="${name}" rows="3" ${messages.length > 0 ? INVALID : null}>${value}</textarea>${
      hint === undefined ? null : html`<span>${hint}</span>`
    }${fieldErrors(name, messages)}</label
  >`;
}

const INVALID = html`aria-invalid="true"`;

/** What a field accepts, below it. */
function hintOf({ required, schema }: Field): string | undefined {
  const hints = [
    required ? texts.required : null,
    schema.description ?? null,
    schema.maxLength === undefined ? null : texts.atMost(schema.maxLength),
  ];
  return hints.filter((hint) => hint !== null).join(', ') || undefined;
}

/** The field for the reason of a change. */
export const reasonField = (value: string, errors: readonly Violation[]): Html =>
  inputField({ label: texts.reason, name: 'reason', value }, errors);
