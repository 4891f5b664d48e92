import { hidden, select } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { table, textColumn } from '../../web/table.js';
import { type AccountRecord, accountTag } from '../../auth/accounts/account-records.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import { roles } from '../../platform/http/routes.js';
import { deskForm, formErrors } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import { instantOf } from '../layout/instant.js';
import type { DeskSession } from '../session/desk-session.js';
import { NotSaved } from '../session/unsaved-forms.js';
import { accountTexts as texts } from '../texts/accounts.js';

export const ACCOUNTS = '/desk/accounts';

/** All accounts. @param saved the name of the one that was changed before */
export function accountsPage(accounts: readonly AccountRecord[], saved: string | null): DeskView {
  const rows = accounts.map((account) => [
    html`<a href="${ACCOUNTS}/${account.id}">${nameOf(account.username)}</a>`,
    texts.roles[account.role],
    account.enabled ? texts.enabled : texts.disabled,
    instantOf(account.created_at),
    instantOf(account.password_changed_at),
    account.last_login_at === null ? texts.never : instantOf(account.last_login_at),
  ]);
  const { username, role, state, created, passwordChanged, lastLogin } = texts;
  const columns = [username, role, state, created, passwordChanged, lastLogin].map(textColumn);
  return {
    title: texts.title,
    section: ACCOUNTS,
    main: html`<h1>${texts.title}</h1>
      ${saved === null ? null : html`<p role="status"><strong>${texts.saved(saved)}</strong></p>`}
      <p>${texts.explain}</p>
      ${table(texts.listNote(wholeNumber(accounts.length)), columns, rows)}`,
  };
}

/** The form of one account. @param sent what was not accepted, and why */
export function accountPage(
  account: AccountRecord,
  session: DeskSession,
  sent: { form: URLSearchParams; error: ApiError } | null,
): DeskView {
  const { id, username, role, enabled } = account;
  const isOwn = session.caller.accountId === id;
  const value = (name: string, stored: string) => sent?.form.get(name) ?? stored;
  // After a conflict it is that of what is stored, to be looked at again.
  const version = sent?.error instanceof NotSaved ? (sent.form.get('version') ?? '') : accountTag(account);
  const roleOptions = roles.map((each) => [each, texts.roles[each]] as const);
  const states = [
    ['true', texts.enabled],
    ['false', texts.disabled],
  ] as const;
  const fields: Html = html`${hidden('version', version)}
    ${select(texts.role, 'role', value('role', role), roleOptions)}
    ${select(texts.state, 'enabled', value('enabled', String(enabled)), states)}
    <p class="quiet">${texts.disableNote}</p>`;
  return {
    title: username,
    section: ACCOUNTS,
    main: html`<p class="path"><a href="${ACCOUNTS}">${texts.title}</a></p>
      <h1>${nameOf(username)}</h1>
      ${isOwn ? html`<p>${texts.self}</p>` : null} ${formErrors(sent?.error ?? null)}
      ${deskForm({ action: `${ACCOUNTS}/${id}`, fields, submit: texts.save }, session)}
      <p><a href="/desk/audit-log?account_id=${id}">${texts.changes}</a></p>`,
  };
}
