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

const ROLE_CHOICES = roles.map((role) => [role, texts.roles[role]] as const);
const STATE_CHOICES = [
  ['true', texts.enabled],
  ['false', texts.disabled],
] as const;

/** What was typed into a form that was not accepted, and why it was not. */
interface RejectedForm {
  readonly form: URLSearchParams;
  readonly error: ApiError;
}

/** An account and the state of its invitation. */
export interface AccountWithInvitation {
  readonly account: AccountRecord;
  readonly invitation: InvitationState;
}

/**
 * What the admin did just before the list was opened: the username of the account that was saved,
 * or whose invitation was withdrawn.
 */
type LastAction = Readonly<Record<'saved' | 'withdrawn', string | null>>;

/**
 * The list of all accounts, with a form that invites a colleague.
 * @param rejected the form of an invitation that was not accepted
 */
export function accountsPage(
  accounts: readonly AccountWithInvitation[],
  lastAction: LastAction,
  session: DeskSession,
  rejected: RejectedForm | null,
): DeskView {
  const rows = accounts.map(({ account, invitation }) => [
    html`<a href="${ACCOUNTS}/${account.id}">${nameOf(account.username)}</a>`,
    texts.roles[account.role],
    stateText(account, invitation),
    invitation.invitedUntil === null
      ? invitationTexts.none
      : html`${instantOf(invitation.invitedUntil)} ${withdrawForm(account, session)}`,
    instantOf(account.created_at),
    invitation.hasPassword ? instantOf(account.password_changed_at) : texts.never,
    account.last_login_at === null ? texts.never : instantOf(account.last_login_at),
  ]);
  const { username, role, state, invitedUntil, created, passwordChanged, lastLogin } = texts;
  const columns = [username, role, state, invitedUntil, created, passwordChanged, lastLogin].map(textColumn);
  const confirmation = confirmationOf(lastAction);
  return {
    title: texts.title,
    section: ACCOUNTS,
    main: html`<h1>${texts.title}</h1>
      ${confirmation === null ? null : html`<p role="status"><strong>${confirmation}</strong></p>`}
      <p>${texts.explain}</p>
      ${table(texts.listNote(wholeNumber(accounts.length)), columns, rows)}
      <section>
        <h2>${invitationTexts.invite}</h2>
        <p>${invitationTexts.inviteHow(INVITATION_HOURS)}</p>
        ${formErrors(rejected?.error ?? null, ['username'])} ${inviteForm(session, rejected)}
      </section>`,
  };
}

function confirmationOf({ saved, withdrawn }: LastAction): string | null {
  if (saved !== null) return texts.saved(saved);
  return withdrawn === null ? null : invitationTexts.withdrawn(withdrawn);
}

function stateText({ enabled }: AccountRecord, { hasPassword }: InvitationState): string {
  if (!enabled) return texts.disabled;
  return hasPassword ? texts.enabled : texts.noPassword;
}

function inviteForm(session: DeskSession, rejected: RejectedForm | null): Html {
  const { usernameHint: hint, submit } = invitationTexts;
  const value = rejected?.form.get('username') ?? '';
  const field = { label: texts.username, name: 'username', value, required: true, hint };
  const fields = html`${inputField(field, rejected?.error.errors)}
  ${select(texts.role, 'role', rejected?.form.get('role') ?? 'maintainer', ROLE_CHOICES)}`;
  return deskForm({ action: ACCOUNTS, fields, submit }, session);
}

const withdrawForm = ({ id, username }: AccountRecord, session: DeskSession): Html =>
  html`<form method="post" action="${ACCOUNTS}/${id}/invitation/withdraw">
    ${tokenField(session)}
    <button aria-label="${invitationTexts.withdrawOf(username)}">${invitationTexts.withdraw}</button>
  </form>`;

/**
 * An invitation that was just made. No other page ever shows its address, since only a digest of
 * the token is stored.
 * @param address the absolute URL at which the password is set
 */
export function issuedPage({ account, expiresAt, replaces }: IssuedInvitation, address: string): DeskView {
  const { id, username } = account;
  return {
    title: invitationTexts.issued(username),
    section: ACCOUNTS,
    main: html`${breadcrumb()}
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

const breadcrumb = () => html`<p class="path"><a href="${ACCOUNTS}">${texts.title}</a></p>`;

/**
 * The form of one account, and its invitation.
 * @param rejected the form of the account that was not accepted
 */
export function accountPage(
  { account, invitation }: AccountWithInvitation,
  session: DeskSession,
  rejected: RejectedForm | null,
): DeskView {
  const { id, username, role, enabled } = account;
  const isOwn = session.caller.accountId === id;
  const value = (name: string, stored: string) => rejected?.form.get(name) ?? stored;
  const fields: Html = html`${hidden('version', versionOf(account, rejected))}
    ${select(texts.role, 'role', value('role', role), ROLE_CHOICES)}
    ${select(texts.state, 'enabled', value('enabled', String(enabled)), STATE_CHOICES)}
    <p class="muted">${texts.disableNote}</p>`;
  return {
    title: username,
    section: ACCOUNTS,
    main: html`${breadcrumb()}
      <h1>${nameOf(username)}</h1>
      ${isOwn ? html`<p>${texts.self}</p>` : null} ${formErrors(rejected?.error ?? null)}
      ${deskForm({ action: `${ACCOUNTS}/${id}`, fields, submit: texts.save }, session)}
      ${invitationSection({ account, invitation }, session)}
      <p><a href="/desk/audit-log?account_id=${id}">${texts.changes}</a></p>`,
  };
}

/**
 * The version of the account that the form is about. A form that was sent without a valid token
 * keeps its own: it was compared with nothing, and a change made meanwhile is still a conflict.
 * After a conflict it is the stored version, so that whoever has seen the message can save.
 */
function versionOf(account: AccountRecord, rejected: RejectedForm | null): string {
  return rejected?.error instanceof NotSaved ? (rejected.form.get('version') ?? '') : accountTag(account);
}

function invitationSection({ account, invitation }: AccountWithInvitation, session: DeskSession): Html {
  const { enabled } = account;
  const { hasPassword } = invitation;
  return html`<section>
    <h2>${invitationTexts.title}</h2>
    <p>
      ${!enabled ? invitationTexts.ofDisabled : hasPassword ? invitationTexts.forgotten : invitationTexts.noPassword}
    </p>
    ${enabled ? invitationForms(account, invitation, session) : null}
  </section>`;
}

/** The form that makes an invitation; where one is open, also the form that withdraws it. */
function invitationForms(
  account: AccountRecord,
  { invitedUntil }: InvitationState,
  session: DeskSession,
): Html {
  const form = { action: `${ACCOUNTS}/${account.id}/invitation`, fields: null };
  if (invitedUntil === null) return deskForm({ ...form, submit: invitationTexts.make }, session);
  return html`<p>${invitationTexts.until} ${instantOf(invitedUntil)} UTC. ${invitationTexts.replaces}</p>
    ${deskForm({ ...form, submit: invitationTexts.makeNew }, session)} ${withdrawForm(account, session)}`;
}
