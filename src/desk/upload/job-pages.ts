import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { conventionWords } from '../../import/formats/convention/convention.js';
import type { ProposedTable } from '../../import/mappings/propose/proposed-table.js';
import type { ImportReport } from '../../import/pipeline/import-report.dto.js';
import type { Progress } from '../../operations/jobs/job-leases.js';
import type { ApiError, Violation } from '../../platform/errors/api-error.js';
import { deskForm, formErrors } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import { mappingAddress } from '../mappings/mapping-address.js';
import type { DeskSession } from '../session/desk-session.js';
import { inWordsOfForm } from './option-fields.js';
import { formatWords, reportFacts } from './report-facts.js';
import { firstRows, reportTables } from './report-tables.js';
import { mappingTexts } from '../texts/mapping.js';
import { saveAddress } from './mapping/save-page.js';
import { sideBySide } from './mapping/side-by-side.js';
import { uploadTexts as texts } from '../texts/upload.js';
import {
  type KnownAnswers,
  hiddenFields,
  mainFields,
  OPTION_FIELDS,
  optionFields,
  READING_FIELDS,
  readingField,
  type StoredFormat,
  uploadReasonField,
  UPLOAD,
} from './upload-form.js';
import type { UploadState } from './upload-state.js';

/** What the page of an upload is made of. */
interface UploadPageView {
  readonly upload: UploadState;
  readonly report: ImportReport | null;
  /** Null where no mapping was proposed. */
  readonly proposed: ProposedTable | null;
  readonly session: DeskSession;
  /** Null where nothing was sent. */
  readonly unsaved: Unsaved | null;
  /** Stored mappings, as they are now. */
  readonly formats: readonly StoredFormat[];
}

/** A form that was sent and is shown again. */
export interface Unsaved {
  readonly error: ApiError;
  /** Whether it was that of the options. */
  readonly isCheck: boolean;
}

const addressOfUpload = ({ id }: UploadState) => `${UPLOAD}/${id}`;

/** The page while a file is checked or imported; its reply has it opened again. */
export function progressPage({ upload, progress }: { upload: UploadState; progress: Progress }): DeskView {
  const isImport = upload.step === 'importing';
  const { done, total } = progress;
  const title = texts.progress[isImport ? 'importing' : 'checking'](upload.name);
  const text = isImport
    ? texts.progress.rows(wholeNumber(done), wholeNumber(total))
    : texts.progress.bytes(done, total);
  return {
    title,
    section: UPLOAD,
    main: html`<h1>${title}</h1>
      <div id="progress">
        <progress max="${Math.max(total, 1)}" value="${done}" aria-label="${title}">${text}</progress>
        <p>${total === 0 ? texts.progress.begins : text}</p>
      </div>
      <p class="muted">${texts.progress.note}</p>
      <p><a href="${addressOfUpload(upload)}">${texts.progress.look}</a></p>`,
  };
}

/** The page of a file that was checked: what an import would do. */
export function checkPage(view: UploadPageView): DeskView {
  const { upload, report, proposed, session, unsaved, formats } = view;
  const title = texts.check.title(upload.name);
  const failure = upload.error ?? report?.error ?? null;
  // A check that has failed has no report, or one that says why.
  const failed = upload.error !== null && report !== null ? 'importFailed' : 'failed';
  const canImport = report !== null && report.error === null && changesSomething(report);
  const asked = failure === null ? [] : readingFieldsOf(failure);
  const known: KnownAnswers = {
    country: {
      found: new URLSearchParams(upload.fields).has('country') ? [] : Object.keys(report?.countries ?? {}),
      guess: upload.guess ?? null,
      isAsked: asked.includes('country'),
    },
    choices: upload.choices ?? {},
  };
  const isOpen = unsaved?.isCheck === true || (!canImport && asked.length === 0);
  return {
    title,
    section: UPLOAD,
    main: html`<h1>${title}</h1>
      ${formErrors(unsaved?.error ?? null, OPTION_FIELDS)}
      ${failure === null ? null : failureText(texts.check[failed], failure)}
      ${asked.length === 0 ? null : answerForm(upload, asked, known, session)}
      ${
        report === null || (report.error !== null && report.read === 0)
          ? null
          : html`<p>${texts.check.nothing}</p>
              <p>${texts.report.format}: <strong>${formatWords(report)}</strong></p>
              ${versionNote(upload, formats)}
              ${conventionWords(report.convention).map((words) => html`<p>${capitalized(words)}.</p>`)}
              ${notesOf(report).map((note) => html`<p>${note}</p>`)} ${reportFacts(report)}
              ${
                report.error === null && !canImport
                  ? html`<p><strong>${texts.check.useless}</strong></p>`
                  : null
              }`
      }
      ${firstRowsOf(upload, report, proposed)}
      ${canImport ? importForm(upload, session, texts.check.import) : null}
      ${report === null ? null : reportTables(report, addressOfUpload(upload))}
      ${
        upload.mapping
          ? html`<p>
              <a class="button" href="${addressOfUpload(upload)}/mapping">${mappingTexts.change}</a>
              <a class="button" href="${saveAddress(upload.id)}">${mappingTexts.save.link}</a>
              <a href="${addressOfUpload(upload)}/mapping.json" download>${mappingTexts.download}</a>
            </p>`
          : html`${optionsForm(view, { isOpen, known, errors: unsaved?.error.errors ?? [] })}
            ${failure === null ? null : describeForm(upload, session)}`
      }
      ${removeForm(upload, session, texts.check.remove)}`,
  };
}

/** Where a stored mapping is another one now than the one that was checked. */
function versionNote(
  { format, stored, mapping }: UploadState,
  formats: readonly StoredFormat[],
): Html | null {
  if (!stored || format === null) return null;
  const now = formats.find(({ name }) => name === format)?.version ?? null;
  const link = html`<a href="${mappingAddress(format)}">${texts.report.version(format, stored.version)}</a>`;
  if (now === stored.version)
    return mapping ? html`<p role="status">${texts.report.saved} ${link}.</p>` : null;
  return html`<p>
    <strong>${now === null ? texts.report.removed : texts.report.newer(now)}</strong>
    ${texts.report.asChecked}
  </p>`;
}

/** Whether an import would change anything that is stored. */
const changesSomething = (report: ImportReport): boolean =>
  [
    report.new,
    report.changed,
    report.filled,
    report.series,
    report.corrections_confirmed,
    report.corrections_superseded,
    ...Object.values(report.records),
  ].some((count) => count > 0);

/** The page of a file that no format reads, and that is removed. */
export function unreadablePage({ upload, session }: UploadPageView): DeskView {
  const title = texts.check.title(upload.name);
  return {
    title,
    section: UPLOAD,
    main: html`<h1>${title}</h1>
      ${failureText(texts.check.failed, upload.error!)}
      <p>${texts.check.removed}</p>
      <p><a class="button" href="${UPLOAD}">${texts.check.uploadOther}</a></p>
      ${removeForm(upload, session, texts.check.forget)}`,
  };
}

/** None in the report of a file that a former release has checked. */
const notesOf = ({ notes = [] }: Partial<Pick<ImportReport, 'notes'>>) => notes;

/** The page of a file whose import has ended early. */
export function endedPage({ upload, report, session, unsaved }: UploadPageView): DeskView {
  const title = texts.ended.title(upload.name);
  const { changeSetId } = upload;
  return {
    title,
    section: UPLOAD,
    main: html`<h1>${title}</h1>
      ${formErrors(unsaved?.error ?? null)}
      ${failureText(null, report?.error ?? upload.error ?? texts.internal)}
      <p>
        ${texts.ended.stays}
        ${
          changeSetId === null
            ? null
            : html`<a href="/desk/change-sets/${changeSetId}">${texts.ended.changeSet}</a>`
        }
      </p>
      ${report === null ? null : reportFacts(report)} ${importForm(upload, session, texts.ended.submit)}
      ${report === null ? null : reportTables(report, addressOfUpload(upload))}
      ${removeForm(upload, session, texts.check.remove)}`,
  };
}

/** The page of a file whose check or import was killed together with its process. */
export function interruptedPage({ upload, session, unsaved }: UploadPageView): DeskView {
  const title = texts.interrupted.title(upload.name);
  const isImport = upload.step === 'importing';
  return {
    title,
    section: UPLOAD,
    main: html`<h1>${title}</h1>
      ${formErrors(unsaved?.error ?? null)}
      <p>${isImport ? texts.interrupted.import : texts.interrupted.check}</p>
      ${
        isImport
          ? importForm(upload, session, texts.interrupted.submitImport)
          : deskForm(
              {
                action: `${addressOfUpload(upload)}/check`,
                fields: hiddenFields(upload),
                submit: texts.interrupted.submitCheck,
              },
              session,
            )
      }
      ${removeForm(upload, session, texts.check.remove)}`,
  };
}

const capitalized = (words: string) => words[0]!.toUpperCase() + words.slice(1);

function failureText(begin: string | null, message: string): Html {
  const { text } = inWordsOfForm(message);
  return html`<div class="error" role="alert">
    <p>${begin} ${text}</p>
  </div>`;
}

function importForm(upload: UploadState, session: DeskSession, submit: string): Html {
  const fields = uploadReasonField(new URLSearchParams(upload.fields));
  return deskForm({ action: `${addressOfUpload(upload)}/import`, fields, submit }, session);
}

/** The fields for reading a file that an error asks for. */
const readingFieldsOf = (message: string): (typeof READING_FIELDS)[number][] => {
  const { fields } = inWordsOfForm(message);
  return READING_FIELDS.filter((name) => fields.includes(name));
};

/** The fields that an error asks for, and nothing else. */
function answerForm(
  upload: UploadState,
  asked: readonly (typeof READING_FIELDS)[number][],
  known: KnownAnswers,
  session: DeskSession,
): Html {
  const fields = new URLSearchParams(upload.fields);
  const others = hiddenFields(upload, asked);
  return deskForm(
    {
      action: `${addressOfUpload(upload)}/check`,
      fields: html`${others} ${asked.map((name) => readingField(name, fields, [], known))}`,
      submit: texts.check.submitAgain,
    },
    session,
  );
}

function optionsForm(
  { upload, session, formats }: UploadPageView,
  { isOpen, known, errors }: { isOpen: boolean; known: KnownAnswers; errors: readonly Violation[] },
): Html {
  const fields = new URLSearchParams(upload.fields);
  const form = deskForm(
    {
      action: `${addressOfUpload(upload)}/check`,
      fields: html`${mainFields(fields, formats, errors)} ${optionFields(fields, errors, known)}`,
      submit: texts.check.submitAgain,
    },
    session,
  );
  return html`<details ${isOpen ? OPEN : null}>
    <summary>${texts.check.again}</summary>
    ${form}
  </details>`;
}

const OPEN = html`open`;

/** What the rows of a file are read as; by a mapping beside what is in the file. */
function firstRowsOf(
  { mapping }: UploadState,
  report: ImportReport | null,
  proposed: ProposedTable | null,
): Html | null {
  if (report === null) return null;
  return mapping && proposed !== null ? sideBySide(report, proposed) : firstRows(report);
}

/** The way from a file that a format does not read to a mapping. */
const describeForm = (upload: UploadState, session: DeskSession): Html =>
  html`<div class="minor">
    ${deskForm(
      {
        action: `${addressOfUpload(upload)}/mapping/propose`,
        fields: null,
        submit: mappingTexts.describe,
      },
      session,
    )}
  </div>`;

const removeForm = (upload: UploadState, session: DeskSession, submit: string): Html => {
  const action = `${addressOfUpload(upload)}/remove`;
  return html`<div class="minor">${deskForm({ action, fields: null, submit }, session)}</div>`;
};

/** The link in a heading to the file. */
export const fileLink = (upload: UploadState): Html =>
  html`<p class="path"><a href="${addressOfUpload(upload)}">${nameOf(upload.name)}</a></p>`;
