import { hidden } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { table, textColumn } from '../../web/table.js';
import { etagOf } from '../../reference/base/base-reference.service.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { tokenField } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import type { DeskSession } from '../session/desk-session.js';
import { deskTexts } from '../texts.js';
import type { DeskTable } from './desk-tables.js';
import { changedTexts, type FormValues, recordTexts, textOf } from './form-values.js';
import type { AttributedState } from './record-histories.js';
import { reasonField } from './record-fields.js';
import { recordLabel, shownValue } from './record-text.js';
import { pathTo } from './record-page.js';
import { recordAddress } from './table-address.js';

const { conflict: texts, ...tablesTexts } = deskTexts.tables;

/** A record that was changed while somebody else was editing it. */
interface ConflictView {
  readonly stored: ReferenceEntity;
  /** Newest first: who has stored what. */
  readonly history: readonly AttributedState[];
  /** The version that the form was made of. */
  readonly version: string;
  readonly sent: FormValues;
  readonly reason: string;
}

/** The name of the choice of a field: `stored` or `yours`. */
const choiceName = (field: string): string => `keep.${field}`;

/** The texts of a form without those for which the stored value was chosen. */
export const chosenTexts = (sent: FormValues, form: URLSearchParams): FormValues =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => form.get(choiceName(name)) !== 'stored'));

/** The page of a conflict: both versions side by side, and a choice for each field. */
export function conflictPage(desk: DeskTable, view: ConflictView, session: DeskSession): DeskView {
  const { name, table: reference } = desk;
  const { stored, history, version, sent, reason } = view;
  const record = stored as unknown as RecordValues;
  const base = history.find((state) => String(state.version) === version)?.values;
  const differing = Object.keys(changedTexts(reference, record, sent));
  const rows = differing.map((field) => [
    tablesTexts.column(field),
    base === undefined ? html`–` : shownValue(base[field]),
    shownValue(record[field]),
    sent[field] === '' ? html`–` : nameOf(sent[field]!),
    choice(field, sent[field]!, preferred(field, base, recordTexts(reference, record), sent)),
  ]);
  const columns = [texts.field, texts.base, texts.stored, texts.yours, texts.keep].map(textColumn);
  const [newest] = history;
  const at = newest?.knownFrom?.slice(0, 16).replace('T', ' ');
  return {
    title: texts.title,
    section: '/desk/tables',
    main: html`${pathTo(name)}
      <h1>${nameOf(recordLabel(reference, record))}</h1>
      <div class="error" role="alert"><p>${texts.title}</p></div>
      ${at === undefined ? null : html`<p>${texts.changedBy(at, newest!.by ?? '–')}</p>`}
      <form method="post" action="${recordAddress(name, stored.id)}">
        ${tokenField(session)} ${hidden('version', etagOf(stored))} ${table(texts.explain, columns, rows)}
        ${reasonField(reason, [])}
        <p><button>${texts.save}</button></p>
      </form>
      <p><a href="${recordAddress(name, stored.id)}">${texts.keepAll}</a></p>`,
  };
}

/** Yours where you alone have changed a field; what both have changed stays unless you choose. */
function preferred(
  field: string,
  base: RecordValues | undefined,
  stored: FormValues,
  sent: FormValues,
): 'stored' | 'yours' {
  if (base === undefined) return 'stored';
  return textOf(base[field]) === stored[field] && textOf(base[field]) !== sent[field] ? 'yours' : 'stored';
}

function choice(field: string, yours: string, chosen: 'stored' | 'yours'): Html {
  const option = (value: 'stored' | 'yours') =>
    html`<label class="inline"
      ><input
        type="radio"
        name="${choiceName(field)}"
        value="${value}"
        ${value === chosen ? CHECKED : null}
      />
      ${texts[value]}</label
    >`;
  return html`<fieldset>
    <legend class="visually-hidden">${texts.choose(tablesTexts.column(field))}</legend>
    ${hidden(field, yours)} ${option('stored')} ${option('yours')}
  </fieldset>`;
}

const CHECKED = html`checked`;
