import { html } from '../../web/html.js';
import type { OpenInvitation } from '../../auth/invitations/invitations.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import { deskForm, formErrors, inputField } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import { INVITATION, LOGIN } from '../session/return-address.js';
import { invitationTexts as texts } from '../texts/accounts.js';

/** The field of the password, and the one in which it is typed again. */
export const PASSWORD = 'password';
export const AGAIN = 'again';

/** The form of an invitation. What was typed is never sent back. @param error what was wrong */
export function invitationPage(
  token: string,
  { username }: Pick<OpenInvitation, 'username'>,
  error: ApiError | null,
): DeskView {
  const errors = error?.errors ?? [];
  const secret = { type: 'password', required: true, autocomplete: 'new-password' };
  const fields = html`${
    // Password managers store the password under this name.
    inputField({
      label: texts.username,
      name: 'username',
      value: username,
      readOnly: true,
      autocomplete: 'username',
    })
  }
  ${inputField({ ...secret, label: texts.password, name: PASSWORD, hint: texts.passwordHint }, errors)}
  ${inputField({ ...secret, label: texts.again, name: AGAIN }, errors)}`;
  return {
    title: texts.setPassword,
    main: html`<h1>${texts.setPassword}</h1>
      <p>${texts.setHow}</p>
      ${formErrors(error, [PASSWORD, AGAIN])}
      ${deskForm({ action: `${INVITATION}/${token}`, fields, submit: texts.setSubmit }, null)}`,
  };
}

/** The one page of all addresses that are not those of open invitations. */
export const notValidPage = (): DeskView => ({
  title: texts.notValid,
  main: html`<h1>${texts.notValid}</h1>
    <p>${texts.notValidHow}</p>
    <p>${texts.whomToAsk}</p>
    <p><a href="${LOGIN}">${texts.toLogin}</a></p>`,
});
