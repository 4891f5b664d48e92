import { addressOf } from '../../web/address.js';
import { html } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { paged } from '../../web/paging.js';
import type { ImportReport } from '../../import/pipeline/import-report.dto.js';
import { csvLine } from '../../lib/text/csv.js';
import type { DeskView } from '../layout/desk-page.js';
import { fileLink } from './job-pages.js';
import { inWordsOfForm } from './option-fields.js';
import { rejectsTable } from './report-tables.js';
import { uploadTexts } from '../texts/upload.js';
import { UPLOAD } from './upload-form.js';
import type { UploadState } from './upload-state.js';

const texts = uploadTexts.rejects;

/** Rows on one page. */
const PAGE_SIZE = 200;

/** @throws NotFound past the last page */
export function rejectsPage(upload: UploadState, report: ImportReport, page: number): DeskView {
  const address = `${UPLOAD}/${upload.id}/rejects`;
  const { rejects, rejected } = report;
  const { items, links } = paged(rejects, page, PAGE_SIZE, (to) => addressOf(address, { page: to }));
  const title = texts.of(upload.name);
  const caption = texts.note(wholeNumber(rejects.length), wholeNumber(rejected));
  return {
    title,
    section: UPLOAD,
    main: html`<h1>${title}</h1>
      ${fileLink(upload)}
      ${
        rejects.length === 0
          ? html`<p>${texts.none}</p>`
          : html`${rejectsTable(items, caption)} ${links}
              <p><a href="${address}.csv">${texts.csv}</a></p>`
      }`,
  };
}

/** The rejected rows as CSV. */
export const rejectsCsv = ({ rejects }: ImportReport): string =>
  csvLine(['line', 'field', 'reason', 'detail']) +
  rejects
    .map(({ line, field, reason, detail }) => csvLine([line, field, reason, inWordsOfForm(detail).text]))
    .join('');
