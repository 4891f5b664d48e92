import type { Type } from '@nestjs/common';
import { hidden, select } from '../../web/form.js';
import { html, type Html } from '../../web/html.js';
import {
  HarvestDto,
  HarvestOptions,
  type HarvestPatchDto,
  type HarvestRecord,
} from '../../harvests/records/harvest.dto.js';
import { importFormats } from '../../import/formats/index.js';
import { type ApiError, NotFound, ValidationError, type Violation } from '../../platform/errors/api-error.js';
import { fieldsOf } from '../../platform/validation/field.js';
import { validateNested } from '../../platform/validation/validate-nested.js';
import {
  deskForm,
  fieldErrors,
  formErrors,
  inputField,
  messagesOf,
  shownError,
} from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import type { DeskSession } from '../session/desk-session.js';
import { bodyOf, textOf } from '../tables/form-values.js';
import { harvestPagesTexts } from '../texts/harvests.js';
import { uploadTexts } from '../texts/upload.js';
import { importFields } from '../upload/upload-fields.js';
import { optionFields, READING_FIELDS, type StoredFormat, storedOptions } from '../upload/upload-form.js';
import { harvestAddress, HARVESTS } from './harvest-address.js';

const texts = harvestPagesTexts.form;

/** The fields that are texts or numbers, in the order of the form. */
const FIELDS = [
  'name',
  'address',
  'header',
  'schedule',
  'time_zone',
  'source',
  'owner',
  'expected_interval',
  'expected_lag',
  'shrink_limit',
  'reject_limit',
  'change_limit',
] as const satisfies readonly (keyof HarvestDto)[];

const FIELD_TYPES = new Map(fieldsOf(HarvestDto).map((field) => [field.name, field]));
const OPTIONS = fieldsOf(HarvestOptions);

/** What stands in the form of a harvest: what was sent, or what is stored; blank for a new one. */
interface HarvestFormView {
  /** Null for a new one. */
  readonly harvest: HarvestRecord | null;
  /** Of what is stored; a key for a new one. */
  readonly tag: string;
  readonly form: URLSearchParams;
  readonly formats: readonly StoredFormat[];
  readonly error: ApiError | null;
}

/** A form as it was sent, and why it was not accepted. */
export interface SentHarvest {
  /** Null where the one that is stored now has to be looked at. */
  readonly form: URLSearchParams | null;
  readonly error: ApiError;
}

/** The fields of the form as they are stored. */
export function storedFields(harvest: HarvestRecord): URLSearchParams {
  const { format, options } = harvest;
  const flags = Object.entries(options).filter(([, value]) => value !== null && value !== false);
  return new URLSearchParams([
    ...FIELDS.map((name): [string, string] => [name, textOf(harvest[name])]),
    ['format', format],
    ...flags.map(([name, value]): [string, string] => [name, String(value)]),
  ]);
}

/**
 * What a form says of a harvest, as the request of the API says it. Options that are not given are
 * null, which removes them; a secret that is left blank stays.
 * @throws ValidationError
 */
export function readHarvest<T extends HarvestDto | HarvestPatchDto>(dto: Type<T>, form: URLSearchParams): T {
  const given = new URLSearchParams(importFields(form));
  const secret = form.get('secret')?.trim() ?? '';
  const read = validateNested(dto, {
    ...bodyOf(FIELD_TYPES, Object.fromEntries(FIELDS.map((name) => [name, form.get(name) ?? '']))),
    format: form.get('format') ?? '',
    options: Object.fromEntries(OPTIONS.map(({ name, kind }) => [name, optionOf(given.get(name), kind)])),
    ...(secret === '' ? {} : { secret }),
  });
  if ('violations' in read) throw new ValidationError(read.violations);
  return read.value;
}

const optionOf = (text: string | null, kind: string) =>
  text === null ? null : kind === 'flag' ? text === 'true' : text;

/**
 * An error of the form, under the names and labels of its fields.
 * @throws the error itself where it is not the sender's
 */
export function formError(thrown: unknown): ApiError {
  if (thrown instanceof NotFound) throw thrown;
  if (!(thrown instanceof ValidationError)) return shownError(thrown, texts.labels);
  const plain = (text: string | undefined) => text?.replace(/^options\./, '');
  const violations = thrown.violations.map((violation) => ({
    ...violation,
    ...(violation.name === undefined ? {} : { name: plain(violation.name)! }),
    detail: plain(violation.detail)!,
  }));
  return shownError(new ValidationError(violations), texts.labels);
}

/** The page with the form of a harvest. */
export function harvestFormPage(view: HarvestFormView, session: DeskSession): DeskView {
  const { harvest, error } = view;
  const title = harvest === null ? texts.new : texts.edit(harvest.name);
  return {
    title,
    section: HARVESTS,
    main: html`<p class="path">
        <a href="${HARVESTS}">${harvestPagesTexts.title}</a>
        ${harvest === null ? null : html`› <a href="${harvestAddress(harvest.id)}">${harvest.name}</a>`}
      </p>
      <h1>${title}</h1>
      ${harvest === null ? html`<p>${texts.how}</p>` : null}
      ${formErrors(error, [...FIELDS, 'format', 'secret', 'reason', ...READING_FIELDS])}
      ${deskForm(
        {
          action: harvest === null ? `${HARVESTS}/new` : `${harvestAddress(harvest.id)}/edit`,
          fields: fieldsOfForm(view),
          submit: harvest === null ? texts.create : texts.save,
        },
        session,
      )}`,
  };
}

function fieldsOfForm({ harvest, tag, form, formats, error }: HarvestFormView): Html {
  const errors = error?.errors ?? [];
  const options = [...Object.keys(importFormats).map(formatOption), ...storedOptions(formats)];
  const field = (name: (typeof FIELDS)[number]) => textField(name, form, errors);
  const given = new URLSearchParams(importFields(form));
  const other = READING_FIELDS.filter((name) => name !== 'source');
  return html`${hidden(harvest === null ? 'key' : 'version', tag)} ${field('name')} ${field('address')}
    ${inputField({ label: texts.labels.secret, name: 'secret', hint: harvest?.has_secret ? texts.secretKept : texts.secretHint }, errors)}
    ${field('header')} ${select(texts.labels.format, 'format', form.get('format') ?? 'prices', options)}
    ${fieldErrors('format', messagesOf('format', errors))} ${field('schedule')} ${field('time_zone')}
    ${field('source')} ${field('owner')}
    <details ${hasErrors(errors, other) ? html`open` : null}>
      <summary>${texts.options}</summary>
      <div class="stack">${optionFields(given, errors, null, other)}</div>
    </details>
    <details ${hasErrors(errors, FIELDS.slice(-5)) ? html`open` : null}>
      <summary>${texts.expectations}</summary>
      <div class="stack">${FIELDS.slice(-5).map(field)}</div>
    </details>
    ${inputField({ label: texts.labels.reason, name: 'reason', value: form.get('reason') ?? '' }, errors)}`;
}

const formatOption = (name: string): readonly [string, string] => [name, uploadTexts.formats[name] ?? name];

const hasErrors = (errors: readonly Violation[], names: readonly string[]): boolean =>
  errors.some(({ name = '' }) => names.includes(name));

function textField(name: (typeof FIELDS)[number], form: URLSearchParams, errors: readonly Violation[]): Html {
  const field = {
    ...{ label: texts.labels[name], name, value: form.get(name) ?? '' },
    ...{ required: FIELD_TYPES.get(name)!.required, hint: texts.hints[name] },
  };
  return inputField(field, errors);
}
