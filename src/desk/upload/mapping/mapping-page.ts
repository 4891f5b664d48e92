import { select } from '../../../web/form.js';
import { type Html, html, nameOf } from '../../../web/html.js';
import { wholeNumber } from '../../../web/numbers.js';
import { longColumn, table, textColumn } from '../../../web/table.js';
import type { ProposedTable } from '../../../import/mappings/propose/proposed-table.js';
import type { ApiError } from '../../../platform/errors/api-error.js';
import { deskForm, formErrors, inputField } from '../../layout/desk-form.js';
import type { DeskView } from '../../layout/desk-page.js';
import type { DeskSession } from '../../session/desk-session.js';
import { mappingTexts as texts } from '../../texts/mapping.js';
import { hiddenFields, type StoredFormat, storedOptions, UPLOAD } from '../upload-form.js';
import type { UploadState } from '../upload-state.js';
import { inputOf, isAnswered, isInHeaders } from './mapping-fields.js';
import { columnLabel, mappingForm } from './mapping-form.js';

/** What the page of a mapping shows. */
interface MappingPageView {
  readonly upload: UploadState;
  readonly proposed: ProposedTable;
  readonly form: URLSearchParams;
  /** The mapping that the form says, as JSON. */
  readonly json: string;
  readonly error: ApiError | null;
  readonly session: DeskSession;
  readonly stored: readonly StoredFormat[];
}

/** The page on which a file is described: what it has, what is asked, and what was found. */
export function mappingPage(view: MappingPageView): DeskView {
  const { upload, proposed, form, json, error, session } = view;
  const title = texts.title(upload.name);
  const { proposal } = proposed;
  const address = `${UPLOAD}/${upload.id}`;
  const open = proposal.questions.filter((question) => !isAnswered(form, question));
  const errors = error?.errors ?? [];
  const names = [...proposal.questions.map(({ control }) => inputOf(control)), 'name'];
  return {
    title,
    section: UPLOAD,
    main: html`<h1>${title}</h1>
      <p>${texts.how}</p>
      ${formErrors(error, names)} ${storedForm(view)}
      ${
        open.length === 0
          ? null
          : html`<p><strong>${texts.open(open.length)}:</strong></p>
              <ul>
                ${open.map(({ control, text }) => html`<li><a href="#${inputOf(control)}">${text}</a></li>`)}
              </ul>`
      }
      ${columnsTable(proposed, form)} ${mappingForm({ proposal, form, json, errors, session, address })}
      ${writingForm(upload, proposed, session)}
      <p><a href="${address}/mapping.json" download>${texts.download}</a> ${texts.downloadNote}</p>`,
  };
}

/** The way to a mapping that is stored already. */
const storedForm = ({ upload, stored, session }: MappingPageView): Html | null =>
  stored.length === 0
    ? null
    : html`<details>
        <summary>${texts.byStored}</summary>
        ${deskForm(
          {
            action: `${UPLOAD}/${upload.id}/check`,
            fields: html`${hiddenFields(upload, ['format'])}
            ${select(texts.stored, 'format', '', storedOptions(stored))}`,
            submit: texts.checkByStored,
          },
          session,
        )}
      </details>`;

/** The columns with some of their values, and what they are read as. */
function columnsTable({ proposal }: ProposedTable, form: URLSearchParams): Html {
  const columns = [
    textColumn(texts.column),
    textColumn(texts.header),
    longColumn(texts.examples),
    textColumn(texts.becomes),
  ];
  const rows = proposal.columns.map(({ header, examples, isUnpivoted }, index) => [
    wholeNumber(index + 1),
    columnLabel(header, index),
    html`${examples.map((example, at) => html`${at === 0 ? null : ', '}${nameOf(example)}`)}`,
    isUnpivoted ? texts.rows : fieldsOf(form, index + 1) || texts.unread,
  ]);
  return html`<section>
    <h2>${texts.columns}</h2>
    ${table(texts.columnsCaption(rows.length), columns, rows)}
  </section>`;
}

/** The fields that have a column. */
function fieldsOf(form: URLSearchParams, column: number): string {
  const pattern = form.get('unpivot') ?? '';
  return Object.entries(texts.fields)
    .filter(([name]) => {
      if (isInHeaders(pattern, name)) return false;
      const [, numbers = ''] = /^(?:column|join):([\d,]+)$/.exec(form.get(`from.${name}`) ?? '') ?? [];
      return numbers.split(',').includes(String(column));
    })
    .map(([, label]) => label)
    .join(', ');
}

/** The form of what a mapping is proposed by: other answers make another proposal. */
function writingForm(
  upload: UploadState,
  { proposal, delimiter, sheetNames }: ProposedTable,
  session: DeskSession,
): Html {
  const { dialect = {}, encoding = '' } = proposal.mapping;
  const said = proposal.evidence.filter(({ control }) => control.startsWith('dialect.'));
  const headerRows = dialect.header === false ? '' : (dialect.headerRows ?? [1]).join(', ');
  return html`<details>
    <summary>${texts.writing}</summary>
    <p>${texts.writingNote}</p>
    <p class="muted">${said.map(({ text }) => `${text} `)}</p>
    ${deskForm(
      {
        action: `${UPLOAD}/${upload.id}/mapping/propose`,
        submit: texts.propose,
        fields: html`${select(texts.table, 'table', proposal.mapping.table, Object.entries(texts.tables))}
        ${
          delimiter === null
            ? null
            : select(texts.delimiter, 'delimiter', delimiter, Object.entries(texts.delimiters))
        }
        ${inputField({ label: texts.headerRows, name: 'header_rows', value: headerRows, hint: texts.headerRowsHint })}
        ${
          sheetNames.length === 0
            ? null
            : select(
                texts.sheet,
                'sheet',
                dialect.sheetName ?? sheetNames[0]!,
                sheetNames.map((name) => [name, name]),
              )
        }
        ${inputField({ label: texts.encoding, name: 'encoding', value: encoding })}`,
      },
      session,
    )}
  </details>`;
}
