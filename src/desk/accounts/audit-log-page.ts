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

const AUDIT_LOG = '/desk/audit-log';

/** Fields of a change that are shown at once: reports of imports have many more. */
const MOST_CHANGES = 12;

/** The filters as the address has them. */
export type AuditFilters = Readonly<Record<string, string>>;

/** The audit log with its filters. @param accounts of this service, for the choice of one */
export function auditLogPage(
  page: Page<AuditLogRecord>,
  filters: AuditFilters,
  accounts: readonly AccountRecord[],
): DeskView {
  const columns = [texts.at, texts.account, texts.action, texts.table, texts.record, texts.changes];
  const rows = page.items.map((entry) => [
    instantOf(entry.at),
    whoOf(entry),
    entry.action,
    entry.table,
    entry.record_id === null
      ? '–'
      : html`<a href="${auditAddress({ table: entry.table, record_id: entry.record_id })}"
          >${entry.record_id}</a
        >`,
    changesOf(entry),
  ]);
  const lastPage = Math.max(1, Math.ceil(page.count / page.pageSize));
  return {
    title: texts.title,
    section: AUDIT_LOG,
    main: html`<h1>${texts.title}</h1>
      <p>${texts.explain}</p>
      ${filterForm(filters, accounts)}
      ${
        page.count === 0
          ? html`<p>${texts.none}</p>`
          : html`${table(texts.listNote(wholeNumber(page.count)), columns.map(textColumn), rows)}
            ${pageLinks(page.page, lastPage, (to) => auditAddress({ ...filters, page: to }))}`
      }`,
  };
}

const auditAddress = (values: AddressValues) => addressOf(AUDIT_LOG, values);

function filterForm(filters: AuditFilters, accounts: readonly AccountRecord[]): Html {
  const any = ['', texts.any] as const;
  const actions = AUDITED_ACTIONS.map((action) => [action, action] as const);
  const names = accounts.map(({ id, username }) => [String(id), username] as const);
  return html`<form class="row" method="get" action="${AUDIT_LOG}">
    ${field(texts.table, 'table', filters.table)} ${field(texts.record, 'record_id', filters.record_id)}
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
function changesOf({ before, after, change_set_id: changeSet }: AuditLogRecord): Html {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changes = names.map(
    (name) =>
      html`<li>
        ${name}:
        ${valueOf(before, name)}${before === null || after === null ? null : ' → '}${valueOf(after, name)}
      </li>`,
  );
  const list = html`<ul class="plain">
    ${changes}
  </ul>`;
  return html`${
    changes.length <= MOST_CHANGES
      ? list
      : html`<details>
          <summary>${texts.fields(changes.length)}</summary>
          ${list}
        </details>`
  }
  ${
    changeSet === null
      ? null
      : html`<a class="quiet" href="/desk/change-sets/${changeSet}">${texts.changeSet} ${changeSet}</a>`
  }`;
}

function valueOf(record: Record<string, unknown> | null, name: string): Html | null {
  if (record === null) return null;
  const value = record[name];
  return nameOf(typeof value === 'string' ? value : JSON.stringify(value ?? null));
}
