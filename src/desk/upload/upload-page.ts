import { html, type Html, nameOf } from '../../web/html.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import { formErrors } from '../layout/desk-form.js';
import { instantOf } from '../layout/instant.js';
import type { DeskView } from '../layout/desk-page.js';
import type { DeskSession } from '../session/desk-session.js';
import { megabytes, uploadTexts as texts } from '../texts/upload.js';
import { fileForm, OPTION_FIELDS, type StoredFormat, UPLOAD } from './upload-form.js';
import type { UploadState } from './upload-state.js';

/** An upload with what it is doing. */
export interface ListedUpload {
  readonly upload: UploadState;
  readonly state: keyof typeof texts.states;
}

/** What the page of the form shows. */
interface UploadView {
  readonly session: DeskSession;
  readonly maxBytes: number;
  /** As sent before. */
  readonly fields: URLSearchParams;
  readonly error: ApiError | null;
  readonly uploads: readonly ListedUpload[];
  readonly formats: readonly StoredFormat[];
}

/** The page with the form, and the files that wait. */
export function uploadPage({ session, error, uploads, ...form }: UploadView): DeskView {
  return {
    title: texts.title,
    section: UPLOAD,
    main: html`<h1>${texts.title}</h1>
      <p>${texts.how}</p>
      ${formErrors(error, OPTION_FIELDS)} ${fileForm(session, form, error?.errors ?? [])}
      ${keptFiles(uploads)}`,
  };
}

function keptFiles(uploads: readonly ListedUpload[]): Html | null {
  if (uploads.length === 0) return null;
  const columns = [
    textColumn(texts.labels.upload),
    textColumn(texts.uploaded),
    textColumn(texts.by),
    numberColumn(texts.size),
    textColumn(texts.state),
  ];
  const rows = uploads.map(({ upload: { id, name, receivedAt, username, bytes }, state }) => [
    html`<a href="${UPLOAD}/${id}">${nameOf(name)}</a>`,
    instantOf(receivedAt),
    nameOf(username),
    megabytes(bytes),
    texts.states[state],
  ]);
  return html`<h2>${texts.kept}</h2>
    ${table(texts.keptNote, columns, rows)}`;
}
