import { addressOf } from '../../web/address.js';
import { select } from '../../web/form.js';
import { type Html, html } from '../../web/html.js';
import { importFormats } from '../../import/formats/index.js';
import type { Violation } from '../../platform/errors/api-error.js';
import { fieldErrors, inputField, messagesOf } from '../layout/desk-form.js';
import { FORM_TOKEN } from '../session/form-tokens.js';
import type { DeskSession } from '../session/desk-session.js';
import { FILE_FIELD } from './receive-form.js';
import { uploadTexts as texts } from '../texts/upload.js';

/** Where files are uploaded. */
export const UPLOAD = '/desk/upload';

/** The fields of the options, whose messages stand beside them. */
export const OPTION_FIELDS = [
  'format',
  'reason',
  'country',
  'source',
  'period',
  'decimal',
  'dates',
  'encoding',
  FILE_FIELD,
];

const MORE_FIELDS = ['country', 'source', 'period', 'decimal', 'dates', 'encoding'];

const OPEN = html`open`;

const formatOptions = [
  ['', texts.byHeader],
  ...Object.keys(importFormats).map((name) => [name, texts.formats[name] ?? name] as const),
] as const;

/** The format and the reason. @param fields as `importFields` makes them */
export function mainFields(fields: URLSearchParams, errors: readonly Violation[] = []): Html {
  return html`${choiceField('format', formatOptions, fields, errors)} ${uploadReasonField(fields, errors)}`;
}

export const uploadReasonField = (fields: URLSearchParams, errors: readonly Violation[] = []): Html =>
  inputField(
    { label: texts.reason, name: 'reason', value: fields.get('reason') ?? '', hint: texts.reasonHint },
    errors,
  );

/** The options that most files do not need. */
export function optionFields(fields: URLSearchParams, errors: readonly Violation[] = []): Html {
  const input = (name: 'country' | 'source' | 'encoding', hint: string) =>
    inputField({ label: texts[name], name, value: fields.get(name) ?? '', hint }, errors);
  const modes = Object.entries(texts.modes);
  const mode = modes.find(([name]) => fields.get(name) === 'true')?.[0] ?? '';
  const periods = [['', texts.byDates], ...Object.entries(texts.periods)] as [string, string][];
  const signs = [['', texts.asFound], ...Object.entries(texts.signs)] as [string, string][];
  const orders = [['', texts.asFound], ...Object.entries(texts.orders)] as [string, string][];
  return html`${input('country', texts.countryHint)} ${input('source', texts.sourceHint)}
  ${choiceField('period', periods, fields, errors)} ${choiceField('decimal', signs, fields, errors)}
  ${choiceField('dates', orders, fields, errors)} ${input('encoding', texts.encodingHint)}
  ${select(texts.mode, 'mode', mode, modes)} ${checkbox('invert', texts.invert, fields)}
  ${checkbox('include_forecast', texts.includeForecast, fields)} ${checkbox('replace', texts.replace, fields)}`;
}

/** A choice with what is wrong with it. */
const choiceField = (
  name: 'format' | 'period' | 'decimal' | 'dates',
  options: readonly (readonly [string, string])[],
  fields: URLSearchParams,
  errors: readonly Violation[],
): Html =>
  html`${select(texts[name], name, fields.get(name) ?? '', options)}
  ${fieldErrors(name, messagesOf(name, errors))}`;

const CHECKED = html`checked`;

const checkbox = (name: string, label: string, fields: URLSearchParams): Html =>
  html`<label class="check"
    ><input type="checkbox" name="${name}" value="true" ${fields.get(name) === 'true' ? CHECKED : null} />
    ${label}</label
  >`;

/**
 * The form with a file. Its token stands in its address: the service has to know it before it
 * reads the file.
 */
export function fileForm(
  { formToken }: DeskSession,
  maxBytes: number,
  fields: URLSearchParams,
  errors: readonly Violation[],
): Html {
  const action = addressOf(UPLOAD, { [FORM_TOKEN]: formToken });
  return html`<form method="post" action="${action}" enctype="multipart/form-data" class="stack">
    <label
      >${texts.file}<input
        type="file"
        name="${FILE_FIELD}"
        required
        data-max-bytes="${maxBytes}"
        data-too-large="${texts.tooLarge(maxBytes)}"
      /><span>${texts.fileHint(maxBytes)}</span
      >${fieldErrors(FILE_FIELD, messagesOf(FILE_FIELD, errors))}</label
    >
    ${mainFields(fields, errors)}
    <details ${errors.some(({ name }) => MORE_FIELDS.includes(name ?? '')) ? OPEN : null}>
      <summary>${texts.more}</summary>
      <div class="stack">${optionFields(fields, errors)}</div>
    </details>
    <div><button>${texts.submit}</button></div>
  </form>`;
}
