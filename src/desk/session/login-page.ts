import { addressOf } from '../../explorer/layout/address.js';
import { hidden } from '../../explorer/layout/form.js';
import { html } from '../../explorer/layout/html.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import { deskForm, formErrors, inputField } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import { deskTexts } from '../texts.js';
import { HOME, LOGIN, SIGN_IN } from './return-address.js';

const texts = deskTexts.session;

/** The login with what was sent before, but never the password. */
export interface LoginForm {
  username: string;
  /** The page to return to. */
  next: string;
  error: ApiError | null;
  /** People can sign in by the identity provider, too. */
  hasProvider: boolean;
}

export function loginPage({ username, next, error, hasProvider }: LoginForm): DeskView {
  const errors = error?.errors ?? [];
  const fields = html`${hidden('next', next === HOME ? undefined : next)}
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
      <p>${texts.signInHow}</p>
      ${hasProvider ? providerLink(next) : null} ${formErrors(error, ['username', 'password'])}
      ${deskForm({ action: LOGIN, fields, submit: texts.signIn }, null)}`,
  };
}

const providerLink = (next: string) =>
  html`<p>
      <a class="button" href="${addressOf(SIGN_IN, { next: next === HOME ? null : next })}"
        >${texts.byProvider}</a
      >
    </p>
    <h2>${texts.byPassword}</h2>`;
