import { addressOf } from '../../web/address.js';
import { hidden, select } from '../../web/form.js';
import { type Html, html } from '../../web/html.js';
import { countryName, isCountryCode, knownCountries } from '../../lib/codes/countries.js';
import { importFormats } from '../../import/formats/index.js';
import type { StoredMappingHead } from '../../import/mappings/stored/mapping-store.js';
import type { Violation } from '../../platform/errors/api-error.js';
import { fieldErrors, inputField, messagesOf } from '../layout/desk-form.js';
import { FORM_TOKEN } from '../session/form-tokens.js';
import type { DeskSession } from '../session/desk-session.js';
import type { GuessedCountry } from './guessed-country.js';
import { FILE_FIELD } from './receive-form.js';
import { uploadTexts as texts } from '../texts/upload.js';
import type { UploadChoices, UploadState } from './upload-state.js';

/** Where files are uploaded. */
export const UPLOAD = '/desk/upload';

/** The fields that say how a file is read. */
export const READING_FIELDS = [
  'country',
  'source',
  'price_type',
  'period',
  'decimal',
  'dates',
  'file',
  'sheet',
  'encoding',
] as const;

/** The fields of the options, whose messages stand beside them. */
export const OPTION_FIELDS = [FILE_FIELD, 'format', 'reason', ...READING_FIELDS] as const;

const OPEN = html`open`;

/** A stored mapping, which is a format. */
export type StoredFormat = Pick<StoredMappingHead, 'name' | 'title' | 'version'>;

/** Stored mappings as options. */
export const storedOptions = (formats: readonly StoredFormat[]): (readonly [string, string])[] =>
  formats.map(({ name, title }) => [name, title === '' ? name : `${name}: ${title}`]);

const formatOptions = [
  ['', texts.byHeader],
  ...Object.keys(importFormats).map((name) => [name, texts.formats[name] ?? name] as const),
] as const;

/**
 * The format and the reason.
 * @param fields as `importFields` makes them
 * @param formats beside those of the service
 */
export function mainFields(
  fields: URLSearchParams,
  formats: readonly StoredFormat[],
  errors: readonly Violation[] = [],
): Html {
  const options = [...formatOptions, ...storedOptions(formats)];
  return html`${choiceField('format', options, fields, errors)} ${uploadReasonField(fields, errors)}`;
}

export const uploadReasonField = (fields: URLSearchParams, errors: readonly Violation[] = []): Html =>
  inputField(
    { label: texts.labels.reason, name: 'reason', value: fields.get('reason') ?? '', hint: texts.reasonHint },
    errors,
  );

/** What a file that was checked says of the answers to questions about it. */
export interface KnownAnswers {
  readonly country: KnownCountry;
  readonly choices: UploadChoices;
}

/** What is known of the country of a file that was checked. */
interface KnownCountry {
  /** Codes that the rows or the name of the file have. */
  readonly found: readonly string[];
  /** Null where nothing says it. */
  readonly guess: GuessedCountry | null;
  /** Whether the file was rejected because it does not say it. */
  readonly isAsked: boolean;
}

/**
 * The options that most files do not need.
 * @param known null before the file is there
 * @param names the fields among them that say how a file is read
 */
export function optionFields(
  fields: URLSearchParams,
  errors: readonly Violation[] = [],
  known: KnownAnswers | null = null,
  names: readonly (typeof READING_FIELDS)[number][] = READING_FIELDS,
): Html {
  const modes = Object.entries(texts.modes);
  const mode = modes.find(([name]) => fields.get(name) === 'true')?.[0] ?? '';
  return html`${names.map((name) => readingField(name, fields, errors, known))}
  ${select(texts.mode, 'mode', mode, modes)} ${checkbox('invert', texts.invert, fields)}
  ${checkbox('include_forecast', texts.includeForecast, fields)} ${checkbox('replace', texts.replace, fields)}`;
}

/** One of the fields that say how a file is read. */
export function readingField(
  name: (typeof READING_FIELDS)[number],
  fields: URLSearchParams,
  errors: readonly Violation[] = [],
  known: KnownAnswers | null = null,
): Html {
  if (name === 'country') return countryField(fields.get(name) ?? '', errors, known?.country ?? null);
  if (name === 'period' || name === 'decimal' || name === 'dates')
    return choiceField(name, choicesOf(name), fields, errors);
  if (name === 'file' || name === 'sheet') {
    const choices = known?.choices[name] ?? [];
    if (choices.length > 1 && choices.length <= MAX_CHOICES) return nameField(name, fields, errors, choices);
  }
  const value = fields.get(name) ?? '';
  return inputField({ label: texts.labels[name], name, value, hint: texts.hints[name] }, errors);
}

/** Names of files and sheets that are a choice; more have to be typed. */
const MAX_CHOICES = 200;

/** The choice of a file of an archive, or a sheet of a workbook. */
function nameField(
  name: 'file' | 'sheet',
  fields: URLSearchParams,
  errors: readonly Violation[],
  choices: readonly string[],
): Html {
  const given = fields.get(name) ?? '';
  // The name of a file may have been typed without its folder.
  const chosen = choices.find((choice) => choice === given || choice.endsWith(`/${given}`)) ?? '';
  const options = [['', texts.notChosen] as const, ...choices.map((choice) => [choice, choice] as const)];
  return html`${select(texts.labels[name], name, given === '' ? '' : chosen, options)}
  ${fieldErrors(name, messagesOf(name, errors))}`;
}

function choicesOf(name: 'period' | 'decimal' | 'dates'): (readonly [string, string])[] {
  if (name === 'period') return [['', texts.byDates], ...Object.entries(texts.periods)];
  return [['', texts.asFound], ...Object.entries(name === 'decimal' ? texts.signs : texts.orders)];
}

const countryOptions = knownCountries
  .map(({ iso3, name }) => [iso3, name] as const)
  .sort(([, one], [, other]) => one.localeCompare(other, 'en'));

/** The country: as chosen, else the one that the name or the currency of the file says. */
function countryField(given: string, errors: readonly Violation[], known: KnownCountry | null): Html {
  const guess = known?.isAsked === true && given === '' ? known.guess : null;
  const value = guess?.iso3 ?? given;
  // Codes that are none of ISO 3166-1 are accepted, too.
  const others = value === '' || isCountryCode(value) ? [] : [[value, value] as const];
  const options = [['', texts.asFileSays] as const, ...others, ...countryOptions];
  return html`<div>
    ${select(texts.labels.country, 'country', value, options)}
    <span class="muted">${countryNote(guess, known)}</span>
    ${fieldErrors('country', messagesOf('country', errors))}
  </div>`;
}

function countryNote(guess: GuessedCountry | null, known: KnownCountry | null): string {
  if (guess !== null) return texts.guessed[guess.by](countryName(guess.iso3));
  if (known?.isAsked === true) return texts.notGuessed;
  const names = (known?.found ?? []).map((iso3) => countryName(iso3) || iso3);
  return names.length === 0 ? texts.countryHint : texts.countriesFound(listed(names));
}

/** Names of a list that are shown. */
const MAX_NAMED = 8;

const listed = (names: readonly string[]): string =>
  names.length > MAX_NAMED ? `${names.slice(0, MAX_NAMED).join(', ')}, …` : names.join(', ');

/** The fields of an upload as they are. @param without names of others */
export const hiddenFields = (
  { fields }: Pick<UploadState, 'fields'>,
  without: readonly string[] = [],
): (Html | null)[] =>
  [...new URLSearchParams(fields)]
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => hidden(name, value));

/** A choice with what is wrong with it. */
const choiceField = (
  name: 'format' | 'period' | 'decimal' | 'dates',
  options: readonly (readonly [string, string])[],
  fields: URLSearchParams,
  errors: readonly Violation[],
): Html =>
  html`${select(texts.labels[name], name, fields.get(name) ?? '', options)}
  ${fieldErrors(name, messagesOf(name, errors))}`;

const CHECKED = html`checked`;

const checkbox = (name: string, label: string, fields: URLSearchParams): Html =>
  html`<label class="check"
    ><input type="checkbox" name="${name}" value="true" ${fields.get(name) === 'true' ? CHECKED : null} />
    ${label}</label
  >`;

/** What the form with a file is made of. */
interface FileFormView {
  readonly maxBytes: number;
  /** As sent before. */
  readonly fields: URLSearchParams;
  readonly formats: readonly StoredFormat[];
}

/**
 * The form with a file. Its token stands in its address: the service has to know it before it
 * reads the file.
 */
export function fileForm(
  { formToken }: DeskSession,
  { maxBytes, fields, formats }: FileFormView,
  errors: readonly Violation[],
): Html {
  const action = addressOf(UPLOAD, { [FORM_TOKEN]: formToken });
  return html`<form method="post" action="${action}" enctype="multipart/form-data" class="stack">
    <label
      >${texts.labels[FILE_FIELD]}<input
        type="file"
        name="${FILE_FIELD}"
        required
        data-max-bytes="${maxBytes}"
        data-too-large="${texts.tooLarge(maxBytes)}"
      /><span>${texts.fileHint(maxBytes)}</span
      >${fieldErrors(FILE_FIELD, messagesOf(FILE_FIELD, errors))}</label
    >
    ${mainFields(fields, formats, errors)}
    <details
      ${errors.some(({ name }) => (READING_FIELDS as readonly string[]).includes(name ?? '')) ? OPEN : null}
    >
      <summary>${texts.more}</summary>
      <div class="stack">${optionFields(fields, errors)}</div>
    </details>
    <div><button>${texts.submit}</button></div>
  </form>`;
}
