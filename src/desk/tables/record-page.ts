import { hidden } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { Duplicate, InUse, type ApiError, type Violation } from '../../platform/errors/api-error.js';
import { isMergeable } from '../../price-series/merging/merged-tables.js';
import { etagOf } from '../../reference/base/base-reference.service.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { deskForm, formErrors } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import type { DeskSession } from '../session/desk-session.js';
import { deskTexts } from '../texts.js';
import type { DeskTable } from './desk-tables.js';
import { type FormValues, recordTexts, underReadNames } from './form-values.js';
import { historySection } from './history-section.js';
import type { AttributedState } from './record-histories.js';
import { reasonField, recordFields } from './record-fields.js';
import { recordLabel } from './record-text.js';
import { type TableOutcome, mergeAddress, recordAddress, tableAddress } from './table-address.js';
import { seriesFilter } from './series-filter.js';

const { tables: texts } = deskTexts;

/** A form as it was sent, and why it was not accepted. */
interface SentNewRecord {
  readonly values: FormValues;
  readonly reason: string;
  readonly error: ApiError;
}

/** The path to a table, above its pages. */
export const pathTo = (name: string): Html =>
  html`<p class="path">
    <a href="/desk/tables">${texts.title}</a> › <a href="${tableAddress(name)}">${texts.all(name)}</a>
  </p>`;

/**
 * The page of a new record.
 * @param key sent along, so that the form makes one record however often it is sent
 */
export function newRecordPage(
  desk: DeskTable,
  key: string,
  session: DeskSession,
  sent: SentNewRecord | null,
): DeskView {
  const { name, table } = desk;
  const title = texts.create(texts.one(name));
  const values = sent?.values ?? recordTexts(table, table.defaults);
  const fields = html`${hidden('key', key)} ${formFields(desk, values, sent)}`;
  return {
    title,
    section: '/desk/tables',
    main: html`${pathTo(name)}
      <h1>${title}</h1>
      ${sentErrors(desk, sent)}
      ${deskForm({ action: tableAddress(`${name}/new`), fields, submit: texts.save }, session)}`,
  };
}

/** As `SentNewRecord`, of a record that is stored. */
interface SentRecord extends SentNewRecord {
  /** The version that the form was made of. */
  readonly version: string;
}

/** A form that removes a record; `form` is null where its version has to be looked at again. */
interface SentRemoval {
  readonly form: URLSearchParams | null;
  readonly error: ApiError;
}

/** What the page of a record is made of. */
export interface RecordView {
  readonly record: ReferenceEntity;
  readonly history: readonly AttributedState[];
  /** Null where nothing was sent. */
  readonly sent: SentRecord | null;
  /** Why it was not removed; null where that was not tried. */
  readonly notRemoved: SentRemoval | null;
  readonly done?: TableOutcome;
}

/** The page of a record: its form, what else can be done with it, and its history. */
export function recordPage(desk: DeskTable, view: RecordView, session: DeskSession): DeskView {
  const { name, table } = desk;
  const { record, sent, history, notRemoved, done } = view;
  const label = recordLabel(table, record as unknown as RecordValues);
  const values = { ...recordTexts(table, record as unknown as RecordValues), ...sent?.values };
  const fields = html`${hidden('version', sent?.version ?? etagOf(record))} ${formFields(desk, values, sent)}`;
  return {
    title: `${texts.edit(texts.one(name))}: ${label}`,
    section: '/desk/tables',
    main: html`${pathTo(name)}
      <h1>${nameOf(label)}</h1>
      ${done === undefined ? null : html`<p role="status"><strong>${texts.done[done]}</strong></p>`}
      ${sentErrors(desk, sent)} ${notRemoved === null ? null : whyNot(desk, record.id, notRemoved.error)}
      ${deskForm({ action: recordAddress(name, record.id), fields, submit: texts.save }, session)}
      ${isMergeable(name, record.id) ? html`<p><a href="${mergeAddress(name, record.id)}">${texts.merge.title(texts.one(name))}</a></p>` : null}
      ${removal(desk, view, session)} ${historySection(table, history)}`,
  };
}

const formFields = ({ table }: DeskTable, values: FormValues, sent: SentNewRecord | null): Html => {
  const errors = sent === null ? [] : underReadNames({ table }, sent.error.errors ?? []);
  return html`${recordFields(table, values, errors)} ${reasonField(sent?.reason ?? '', errors)}`;
};

function sentErrors(desk: DeskTable, sent: SentNewRecord | null): Html | null {
  if (sent === null) return null;
  const { error } = sent;
  const known = [...desk.table.fields.keys(), 'reason'];
  const names = underReadNames(desk, error.errors ?? []).map(({ name }) => name);
  const shown = (error.errors ?? []).filter((_, index) => known.includes(names[index] ?? ''));
  const existing = error instanceof Duplicate ? error.extra.existing : undefined;
  return html`${formErrors(
    error,
    shown.map(({ name }: Violation) => name ?? ''),
  )}
  ${typeof existing === 'string' ? html`<p><a href="${existing}">${texts.existing}</a></p>` : null}`;
}

/** The form that removes a record. */
function removal(desk: DeskTable, { record, notRemoved }: RecordView, session: DeskSession): Html {
  const { form = null } = notRemoved ?? {};
  const version = form?.get('version') ?? etagOf(record);
  const fields = html`${hidden('version', version)} ${reasonField(form?.get('reason') ?? '', [])}`;
  const action = `${recordAddress(desk.name, record.id)}/remove`;
  return html`<section id="remove">
    <h2>${texts.remove}</h2>
    <p>${texts.removeHow}</p>
    ${deskForm({ action, fields, submit: texts.remove }, session)}
  </section>`;
}

/** Why a record was not removed, and what can be done instead. */
function whyNot(desk: DeskTable, id: number, error: ApiError): Html {
  if (!(error instanceof InUse)) return html`${formErrors(error)}`;
  const series = seriesFilter(desk.name, id);
  return html`<div class="error" role="alert">
      <p>${texts.notRemoved} ${texts.inUse}</p>
      <ul>
        ${(error.errors ?? []).map(({ detail }) => html`<li>${detail}</li>`)}
      </ul>
    </div>
    <p>
      ${series === null ? null : html`<a href="/browse?${series}">${texts.usedSeries}</a>`}
      ${isMergeable(desk.name, id) ? html` · <a href="${mergeAddress(desk.name, id)}">${texts.mergeInstead}</a>` : null}
    </p>`;
}
