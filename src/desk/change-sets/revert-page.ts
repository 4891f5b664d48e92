import { html } from '../../web/html.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import type { RevertCounts } from '../../history/revert/revert-counts.js';
import { deskForm, formErrors, inputField } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import type { DeskSession } from '../session/desk-session.js';
import { changeSetTexts } from '../texts/change-sets.js';
import { uploadTexts } from '../texts/upload.js';
import { CHANGE_SETS } from './change-set-list-page.js';
import { changesNothing, revertFacts, revertNotes } from './revert-counts.js';

const texts = changeSetTexts.revert;

/** The form as it was sent, and why it was not accepted. */
export interface SentRevert {
  readonly form: URLSearchParams;
  readonly error: ApiError;
}

/** What would be reverted, and what would stay. */
interface RevertView {
  readonly id: number;
  readonly counts: RevertCounts;
  /** Whether a revert was interrupted, which goes on. */
  readonly goesOn: boolean;
  readonly session: DeskSession;
  /** Null where nothing was sent. */
  readonly sent: SentRevert | null;
}

/** The page before a revert. */
export function revertPage({ id, counts, goesOn, session, sent }: RevertView): DeskView {
  const title = texts.title(id);
  const form = {
    action: `${CHANGE_SETS}/${id}/revert`,
    fields: goesOn
      ? html`<p>${texts.goOnNote}</p>`
      : inputField({
          label: uploadTexts.labels.reason,
          name: 'reason',
          value: sent?.form.get('reason') ?? '',
          hint: uploadTexts.reasonHint,
        }),
    submit: goesOn ? texts.goOn : texts.submit,
  };
  return {
    title,
    section: CHANGE_SETS,
    main: html`<h1>${title}</h1>
      <p class="path"><a href="${CHANGE_SETS}/${id}">${texts.back}</a></p>
      <p>${changesNothing(counts) ? texts.nothing : texts.preview}</p>
      ${revertFacts(counts)} ${revertNotes(counts)} ${formErrors(sent?.error ?? null)}
      ${deskForm(form, session)}`,
  };
}
