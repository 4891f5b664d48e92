import { addressOf, type AddressValues } from '../../web/address.js';
import { field, hidden, select } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { pageLinks } from '../../web/paging.js';
import { table, textColumn } from '../../web/table.js';
import type { AuditLogRecord } from '../../ledger/audit/audit-log.js';
import { AUDITED_ACTIONS } from '../../ledger/audit/audit-trail.js';
import type { AccountRecord } from '../../auth/accounts/account-records.js';
import type { Page } from '../../platform/listing/page.js';
import type { DeskView } from '../layout/desk-page.js';
import { instantOf } from '../layout/instant.js';
import { auditTexts as texts } from '../texts/accounts.js';
import type { AuditWords } from './audit-words.js';

const AUDIT_LOG = '/desk/audit-log';

/** Fields of a change that are shown at once: reports of imports have many more. */
const MAX_CHANGES = 12;

/** The filters as the address has them. */
type AuditFilters = Readonly<Record<string, string>>;

/** What the filters choose among. */
interface AuditChoices {
  /** Of this service. */
  readonly accounts: readonly AccountRecord[];
  /** As the database calls them. */
  readonly tables: readonly string[];
}

/** The audit log with its filters. */
export function auditLogPage(
  page: Page<AuditLogRecord>,
  filters: AuditFilters,
  choices: AuditChoices,
  words: AuditWords,
): DeskView {
  const columns = [texts.at, texts.account, texts.action, texts.table, texts.record, texts.changes];
  const rows = page.items.map((entry) => [
    instantOf(entry.at),
    whoOf(entry),
    entry.action,
    tableName(entry.table),
    recordOf(entry, words),
    changesOf(entry, words),
  ]);
  const lastPage = Math.max(1, Math.ceil(page.count / page.pageSize));
  return {
    title: texts.title,
    section: AUDIT_LOG,
    main: html`<h1>${texts.title}</h1>
      <p>${texts.explain}</p>
      ${filterForm(filters, choices)}
      ${
        page.count === 0
          ? html`<p>${texts.none}</p>`
          : html`${table(texts.listNote(wholeNumber(page.count)), columns.map(textColumn), rows)}
            ${pageLinks(page.page, lastPage, (to) => auditAddress({ ...filters, page: to }))}`
      }`,
  };
}

const auditAddress = (values: AddressValues) => addressOf(AUDIT_LOG, values);

const tableName = (name: string): string => texts.tables[name] ?? name.replaceAll('_', ' ');

/** The record in words, or by its number, with a link to all of its changes. */
function recordOf(entry: AuditLogRecord, words: AuditWords): Html | string {
  const { table: name, record_id: id } = entry;
  if (id === null) return '–';
  const address = auditAddress({ table: name, record_id: id });
  const inWords = words.record(entry);
  return inWords === null
    ? html`<a href="${address}">${id}</a>`
    : html`${inWords}
        <p>
          <small><a href="${address}">${texts.history(tableName(name))}</a></small>
        </p>`;
}

function filterForm(filters: AuditFilters, { accounts, tables }: AuditChoices): Html {
  const chosen = filters.table ?? '';
  const listed = chosen === '' || tables.includes(chosen) ? tables : [...tables, chosen];
  const tableChoices = listed.map((name) => [name, tableName(name)] as const);
  const any = ['', texts.any] as const;
  const actions = AUDITED_ACTIONS.map((action) => [action, action] as const);
  const names = accounts.map(({ id, username }) => [String(id), username] as const);
  return html`<form class="row" method="get" action="${AUDIT_LOG}">
    ${select(texts.table, 'table', chosen, [any, ...tableChoices])}
    ${field(texts.record, 'record_id', filters.record_id)}
    ${select(texts.action, 'action', filters.action ?? '', [any, ...actions])}
    ${select(texts.account, 'account_id', filters.account_id ?? '', [any, ...names])}
    ${field(texts.from, 'from', filters.from, 'date')} ${field(texts.to, 'to', filters.to, 'date')}
    ${hidden('subject', filters.subject)} ${hidden('change_set_id', filters.change_set_id)}
    <button>${texts.show}</button>
  </form>`;
}

/** An account of this service, one of the identity provider, or a command. */
function whoOf({ account_id, username, subject }: AuditLogRecord): Html {
  if (account_id !== null)
    return html`<a href="${auditAddress({ account_id })}">${nameOf(username ?? String(account_id))}</a>`;
  return subject === ''
    ? html`${texts.command}`
    : html`<a href="${auditAddress({ subject })}">${nameOf(subject)}</a>`;
}

/** The changed fields, before and after. */
function changesOf(entry: AuditLogRecord, words: AuditWords): Html {
  const { before, after, change_set_id: changeSet } = entry;
  const value = (record: Record<string, unknown> | null, name: string) =>
    record === null ? null : words.value(entry, name, record[name]);
  const changes = words
    .fieldsOf(entry)
    .map(
      (name) =>
        html`<li>
          ${name}:
          ${value(before, name)}${before === null || after === null ? null : ' → '}${value(after, name)}
        </li>`,
    );
  const list = html`<ul class="plain">
    ${changes}
  </ul>`;
  return html`${
    changes.length <= MAX_CHANGES
      ? list
      : html`<details>
          <summary>${texts.fields(changes.length)}</summary>
          ${list}
        </details>`
  }
  ${
    changeSet === null
      ? null
      : html`<a class="muted" href="/desk/change-sets/${changeSet}">${texts.changeSet} ${changeSet}</a>`
  }`;
}
