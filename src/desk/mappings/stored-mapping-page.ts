import { addressOf } from '../../web/address.js';
import { descriptionList } from '../../web/description-list.js';
import { hidden } from '../../web/form.js';
import { type Html, html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import type { MappingRecord, MappingVersionEntry } from '../../import/mappings/stored/mapping-record.js';
import type { MappingUse } from '../../import/mappings/stored/mapping-uses.js';
import { type ApiError, Duplicate, InUse } from '../../platform/errors/api-error.js';
import { CHANGE_SETS } from '../change-sets/change-set-list-page.js';
import { deskForm, formErrors, inputField } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import { instantOf } from '../layout/instant.js';
import type { DeskSession } from '../session/desk-session.js';
import { mappingPagesTexts as texts } from '../texts/mappings.js';
import { mappingAddress, type MappingOutcome, MAPPINGS } from './mapping-address.js';
import { tableText, usesText } from './mapping-list-page.js';

/** A form of the page as it was sent, and why it was not accepted. */
export interface SentMappingForm {
  readonly kind: 'copy' | 'remove';
  /** Null where the form has to be looked at again as it is now. */
  readonly form: URLSearchParams | null;
  readonly error: ApiError;
}

/** What the page of a mapping shows. */
interface StoredMappingView {
  /** The mapping, or one of its versions. */
  readonly record: MappingRecord;
  readonly state: 'present' | 'older' | 'removed';
  /** Newest first; none of shipped ones. */
  readonly versions: readonly MappingVersionEntry[];
  /** Who has saved them, by change set. */
  readonly authors: ReadonlyMap<number, string>;
  readonly uses: readonly MappingUse[];
  /** Sent along, so that a copy is stored once however often its form is sent. */
  readonly key: string;
  /** Null where nothing was sent. */
  readonly sent: SentMappingForm | null;
  readonly done: MappingOutcome | undefined;
}

/** The fields of the forms, whose messages stand beside them. */
const FIELDS = ['name', 'reason'] as const;

/** The page of a mapping: what it says, its versions, and what can be done with it. */
export function storedMappingPage(view: StoredMappingView, session: DeskSession): DeskView {
  const { record, state, sent, done } = view;
  const { name, version, shipped, mapping } = record;
  const download = addressOf(`${mappingAddress(name)}/mapping.json`, {
    version: state === 'present' ? undefined : version!,
  });
  return {
    title: `${texts.title}: ${name}`,
    section: MAPPINGS,
    main: html`<p class="path"><a href="${MAPPINGS}">${texts.title}</a></p>
      <h1>${name}</h1>
      ${done === undefined ? null : html`<p role="status"><strong>${texts.done[done]}</strong></p>`}
      ${stateNote(view)} ${sent === null ? null : whyNot(sent)} ${description(view)}
      <h2>${texts.json}</h2>
      <pre tabindex="0">${JSON.stringify(mapping, null, 2)}</pre>
      <p><a href="${download}" download>${texts.download}</a> ${texts.downloadNote}.</p>
      ${versionsTable(view)} ${copyForm(view, session)}
      ${state === 'present' && !shipped ? removeForm(view, session) : null}`,
  };
}

function stateNote({ record: { name, version }, state }: StoredMappingView): Html | null {
  if (state === 'present') return null;
  if (state === 'removed') return html`<p><strong>${texts.gone}</strong></p>`;
  return html`<p>
    <strong>${texts.older(version!)}</strong> <a href="${mappingAddress(name)}">${texts.newest}</a>
  </p>`;
}

/** Why a form was not accepted, and what can be done instead. */
function whyNot({ kind, error }: SentMappingForm): Html {
  if (error instanceof InUse)
    return html`<div class="error" role="alert">
      <p>${texts.notRemoved} ${texts.inUse(usesText(usesOf(error)))}</p>
    </div>`;
  const existing = error instanceof Duplicate ? error.extra.existing : undefined;
  return html`${formErrors(error, kind === 'copy' ? FIELDS : ['reason'])}
  ${typeof existing === 'string' ? html`<p><a href="${existing}">${texts.existing}</a></p>` : null}`;
}

const usesOf = ({ errors = [] }: InUse): MappingUse[] =>
  errors.map(({ name = '', count }) => ({ kind: name, count: Number(count) }));

function description({ record, authors, uses }: StoredMappingView): Html {
  const { title, table: of, shipped, version, saved_at, change_set_id } = record;
  return descriptionList([
    [texts.what, title && nameOf(title)],
    [texts.table, tableText(of)],
    [texts.origin, shipped ? texts.shipped : texts.stored],
    [texts.version, version && wholeNumber(version)],
    [texts.savedAt, saved_at && instantOf(saved_at)],
    [texts.by, change_set_id && nameOf(authors.get(change_set_id) ?? '–')],
    [texts.usedBy, usesText(uses)],
  ]);
}

function versionsTable({ record: { name }, versions, authors }: StoredMappingView): Html | null {
  if (versions.length === 0) return null;
  const columns = [
    numberColumn(texts.version),
    ...[texts.what, texts.savedAt, texts.by, texts.until, texts.changeSet].map(textColumn),
  ];
  const rows = versions.map(({ version, title, saved_at, ended_at, change_set_id: id }) => [
    html`<a href="${mappingAddress(name, { version })}">${wholeNumber(version)}</a>`,
    nameOf(title),
    instantOf(saved_at),
    nameOf(authors.get(id) ?? '–'),
    ended_at === null ? texts.now : instantOf(ended_at),
    html`<a href="${CHANGE_SETS}/${id}">${id}</a>`,
  ]);
  return html`<h2>${texts.versions}</h2>
    ${table(texts.versionsNote(wholeNumber(versions.length)), columns, rows)}`;
}

function copyForm({ record, key, sent }: StoredMappingView, session: DeskSession): Html {
  const form = sent?.kind === 'copy' ? sent.form : null;
  const errors = form === null ? [] : (sent?.error.errors ?? []);
  const { name, version, shipped } = record;
  const fields = html`${hidden('key', form?.get('key') ?? key)}
  ${hidden('version', version === null ? undefined : String(version))}
  ${inputField({ label: texts.name, name: 'name', value: form?.get('name') ?? '', required: true, hint: texts.nameHint }, errors)}
  ${inputField({ label: texts.reason, name: 'reason', value: form?.get('reason') ?? '' }, errors)}`;
  return html`<section id="copy">
    <h2>${texts.copy}</h2>
    <p>${shipped ? texts.copyShipped : null} ${texts.copyHow}</p>
    ${deskForm({ action: `${mappingAddress(name)}/copy`, fields, submit: texts.copySubmit }, session)}
  </section>`;
}

function removeForm({ record, sent }: StoredMappingView, session: DeskSession): Html {
  const form = sent?.kind === 'remove' ? sent.form : null;
  const { name, version } = record;
  const fields = html`${hidden('version', form?.get('version') ?? String(version))}
  ${inputField({ label: texts.reason, name: 'reason', value: form?.get('reason') ?? '' }, form === null ? [] : (sent?.error.errors ?? []))}`;
  return html`<section id="remove">
    <h2>${texts.remove}</h2>
    <p>${texts.removeHow}</p>
    ${deskForm({ action: `${mappingAddress(name)}/remove`, fields, submit: texts.remove }, session)}
  </section>`;
}
