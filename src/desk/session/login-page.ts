import { addressOf } from '../../web/address.js';
import { hidden } from '../../web/form.js';
import { type Html, html } from '../../web/html.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import { deskForm, formErrors, inputField } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import { deskTexts } from '../texts.js';
import { HOME, LOGIN, SIGN_IN } from './return-address.js';

const texts = deskTexts.session;

/** The field with a form that is shown after the login. */
export const KEPT = 'kept';

/** The login with what was sent before, but never the password. */
interface LoginForm {
  username: string;
  /** The page to return to. */
  next: string;
  error: ApiError | null;
  /** People can sign in by the identity provider, too. */
  hasProvider: boolean;
  /** What the page before has done. */
  note?: string | null;
  /** A sealed form that is shown after the login; null for one that is too large. */
  kept?: string | null;
}

export function loginPage({ username, next, error, hasProvider, note, kept }: LoginForm): DeskView {
  const errors = error?.errors ?? [];
  const returning = html`${hidden('next', next === HOME ? undefined : next)}
  ${hidden(KEPT, kept ?? undefined)}`;
  const fields = html`${returning}
  ${inputField(
    { label: texts.username, name: 'username', value: username, required: true, autocomplete: 'username' },
    errors,
  )}
  ${inputField(
    {
      label: texts.password,
      name: 'password',
      type: 'password',
      required: true,
      autocomplete: 'current-password',
    },
    errors,
  )}`;
  return {
    title: texts.signIn,
    main: html`<h1>${texts.signIn}</h1>
      ${note ? html`<p role="status"><strong>${note}</strong></p>` : null}
      ${kept === undefined ? html`<p>${texts.signInHow}</p>` : keptNote(kept)}
      ${hasProvider ? providerLink(next, kept ? returning : null) : null}
      ${formErrors(error, ['username', 'password'])}
      ${deskForm({ action: LOGIN, fields, submit: texts.signIn }, null)}`,
  };
}

const keptNote = (kept: string | null) =>
  html`<p class="error" role="alert">${kept === null ? texts.tooLargeToKeep : texts.kept}</p>`;

/**
 * The provider cannot take a form along: it is signed in by another tab.
 * @param kept the fields of a form that is shown after the login
 */
const providerLink = (next: string, kept: Html | null) =>
  html`<p>
      <a
        class="button"
        href="${addressOf(SIGN_IN, { next: next === HOME ? null : next })}"
        ${kept && html`target="_blank"`}
        >${kept === null ? texts.byProvider : texts.byProviderInTab}</a
      >
    </p>
    ${kept && deskForm({ action: LOGIN, fields: kept, submit: texts.showKept }, null)}
    <h2>${texts.byPassword}</h2>`;
