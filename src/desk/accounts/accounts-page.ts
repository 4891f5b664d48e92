import { hidden, select } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { table, textColumn } from '../../web/table.js';
import { type AccountRecord, accountTag } from '../../auth/accounts/account-records.js';
import {
  INVITATION_HOURS,
  type InvitationState,
  type IssuedInvitation,
} from '../../auth/invitations/invitations.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import { roles } from '../../platform/http/routes.js';
import { deskForm, formErrors, inputField, tokenField } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import { instantOf } from '../layout/instant.js';
import type { DeskSession } from '../session/desk-session.js';
import { NotSaved } from '../session/unsaved-forms.js';
import { accountTexts as texts, invitationTexts } from '../texts/accounts.js';

export const ACCOUNTS = '/desk/accounts';

const ROLES = roles.map((role) => [role, texts.roles[role]] as const);

/** A form that was not accepted, and why. */
interface SentForm {
  readonly form: URLSearchParams;
  readonly error: ApiError;
}

/** An account, with what admins see of its invitation. */
export interface InvitedAccount {
  readonly account: AccountRecord;
  readonly state: InvitationState;
}

/** What was done before the list was opened. */
type AccountsNote = Readonly<Record<'saved' | 'withdrawn', string | null>>;

/** All accounts. @param sent the form of an invitation that was not accepted */
export function accountsPage(
  accounts: readonly InvitedAccount[],
  { saved, withdrawn }: AccountsNote,
  session: DeskSession,
  sent: SentForm | null,
): DeskView {
  const rows = accounts.map(({ account, state }) => [
    html`<a href="${ACCOUNTS}/${account.id}">${nameOf(account.username)}</a>`,
    texts.roles[account.role],
    stateOf(account, state),
    state.invitedUntil === null
      ? invitationTexts.none
      : html`${instantOf(state.invitedUntil)} ${withdrawal(account, session)}`,
    instantOf(account.created_at),
    state.hasPassword ? instantOf(account.password_changed_at) : texts.never,
    account.last_login_at === null ? texts.never : instantOf(account.last_login_at),
  ]);
  const { username, role, state, invitedUntil, created, passwordChanged, lastLogin } = texts;
  const columns = [username, role, state, invitedUntil, created, passwordChanged, lastLogin].map(textColumn);
  const note =
    saved !== null ? texts.saved(saved) : withdrawn !== null ? invitationTexts.withdrawn(withdrawn) : null;
  return {
    title: texts.title,
    section: ACCOUNTS,
    main: html`<h1>${texts.title}</h1>
      ${note === null ? null : html`<p role="status"><strong>${note}</strong></p>`}
      <p>${texts.explain}</p>
      ${table(texts.listNote(wholeNumber(accounts.length)), columns, rows)}
      <section>
        <h2>${invitationTexts.invite}</h2>
        <p>${invitationTexts.inviteHow(INVITATION_HOURS)}</p>
        ${formErrors(sent?.error ?? null, ['username'])} ${inviteForm(session, sent)}
      </section>`,
  };
}

const stateOf = ({ enabled }: AccountRecord, { hasPassword }: InvitationState) =>
  !enabled ? texts.disabled : hasPassword ? texts.enabled : texts.noPassword;

function inviteForm(session: DeskSession, sent: SentForm | null): Html {
  const { usernameHint: hint, submit } = invitationTexts;
  const value = sent?.form.get('username') ?? '';
  const field = { label: texts.username, name: 'username', value, required: true, hint };
  const fields = html`${inputField(field, sent?.error.errors)}
  ${select(texts.role, 'role', sent?.form.get('role') ?? 'maintainer', ROLES)}`;
  return deskForm({ action: ACCOUNTS, fields, submit }, session);
}

const withdrawal = ({ id, username }: AccountRecord, session: DeskSession): Html =>
  html`<form method="post" action="${ACCOUNTS}/${id}/invitation/withdraw">
    ${tokenField(session)}
    <button aria-label="${invitationTexts.withdrawOf(username)}">${invitationTexts.withdraw}</button>
  </form>`;

/** An invitation that was just made: the only page with its address. @param address a whole URL */
export function issuedPage({ account, expiresAt, replaces }: IssuedInvitation, address: string): DeskView {
  const { id, username } = account;
  return {
    title: invitationTexts.issued(username),
    section: ACCOUNTS,
    main: html`${path()}
      <h1>${invitationTexts.issued(username)}</h1>
      <p role="status">${invitationTexts.send(username)}</p>
      <pre tabindex="0" aria-label="${invitationTexts.address}">${address}</pre>
      <p>${invitationTexts.validity} ${instantOf(expiresAt)} UTC.</p>
      ${replaces ? html`<p>${invitationTexts.replaced}</p>` : null}
      <p>
        <a href="${ACCOUNTS}/${id}">${invitationTexts.toAccount}</a> ·
        <a href="${ACCOUNTS}">${invitationTexts.backToAccounts}</a>
      </p>`,
  };
}

const path = () => html`<p class="path"><a href="${ACCOUNTS}">${texts.title}</a></p>`;

/** The form of one account, and its invitation. @param sent what was not accepted, and why */
export function accountPage(
  { account, state }: InvitedAccount,
  session: DeskSession,
  sent: SentForm | null,
): DeskView {
  const { id, username, role, enabled } = account;
  const isOwn = session.caller.accountId === id;
  const value = (name: string, stored: string) => sent?.form.get(name) ?? stored;
  // After a conflict it is that of what is stored, to be looked at again.
  const version = sent?.error instanceof NotSaved ? (sent.form.get('version') ?? '') : accountTag(account);
  const states = [
    ['true', texts.enabled],
    ['false', texts.disabled],
  ] as const;
  const fields: Html = html`${hidden('version', version)}
    ${select(texts.role, 'role', value('role', role), ROLES)}
    ${select(texts.state, 'enabled', value('enabled', String(enabled)), states)}
    <p class="muted">${texts.disableNote}</p>`;
  return {
    title: username,
    section: ACCOUNTS,
    main: html`${path()}
      <h1>${nameOf(username)}</h1>
      ${isOwn ? html`<p>${texts.self}</p>` : null} ${formErrors(sent?.error ?? null)}
      ${deskForm({ action: `${ACCOUNTS}/${id}`, fields, submit: texts.save }, session)}
      ${invitationSection({ account, state }, session)}
      <p><a href="/desk/audit-log?account_id=${id}">${texts.changes}</a></p>`,
  };
}

function invitationSection({ account, state }: InvitedAccount, session: DeskSession): Html {
  const { id, enabled } = account;
  const { invitedUntil, hasPassword } = state;
  const form = { action: `${ACCOUNTS}/${id}/invitation`, fields: null };
  const content =
    invitedUntil === null
      ? deskForm({ ...form, submit: invitationTexts.make }, session)
      : html`<p>${invitationTexts.until} ${instantOf(invitedUntil)} UTC. ${invitationTexts.replaces}</p>
          ${deskForm({ ...form, submit: invitationTexts.makeNew }, session)} ${withdrawal(account, session)}`;
  return html`<section>
    <h2>${invitationTexts.title}</h2>
    <p>
      ${!enabled ? invitationTexts.ofDisabled : hasPassword ? invitationTexts.forgotten : invitationTexts.noPassword}
    </p>
    ${enabled ? content : null}
  </section>`;
}
