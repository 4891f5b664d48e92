import { field, hidden } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { table, textColumn } from '../../web/table.js';
import type { OperationResult } from '../../ledger/changes/operation-result.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { type Likeness, likenessNotes } from '../layout/likeness.js';
import { deskForm, formErrors } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import type { DeskSession } from '../session/desk-session.js';
import { deskTexts } from '../texts.js';
import type { DeskTable } from './desk-tables.js';
import { reasonField } from './record-fields.js';
import { pathTo } from './record-page.js';
import { recordLabel, shownValue } from './record-text.js';
import { seriesFilter } from './series-filter.js';
import { mergeAddress, recordAddress } from './table-address.js';

const { merge: texts, ...tablesTexts } = deskTexts.tables;

/** The record that is merged, and what was chosen so far. */
interface MergeView {
  readonly from: ReferenceEntity;
  readonly search: string;
  /** Records that it can be merged into; null once one is chosen. */
  readonly found: readonly ReferenceEntity[] | null;
  /** The other record, and what merging would change; null before one is chosen. */
  readonly chosen: {
    readonly into: ReferenceEntity;
    readonly result: OperationResult | null;
    readonly likeness: Likeness;
  } | null;
  readonly reason: string;
  /** Why it cannot be merged. */
  readonly error: ApiError | null;
}

/** The page that merges a record: search of the other one, what would move, then the button. */
export function mergePage(desk: DeskTable, view: MergeView, session: DeskSession): DeskView {
  const { name, table: reference } = desk;
  const { from, search, found, chosen, error } = view;
  const title = texts.title(tablesTexts.one(name));
  const label = recordLabel(reference, from as unknown as RecordValues);
  return {
    title,
    section: '/desk/tables',
    main: html`${pathTo(name)}
      <h1>${title}</h1>
      <p><a href="${recordAddress(name, from.id)}">${nameOf(label)}</a> (${from.id})</p>
      <p>${texts.explain}</p>
      ${formErrors(error)}
      <form class="row" method="get" action="${mergeAddress(name, from.id)}" role="search">
        <div class="wide">${field(texts.search, 'search', search, 'search')}</div>
        <button>${tablesTexts.filter}</button>
      </form>
      ${found === null ? null : candidates(desk, from, found)}
      ${chosen === null ? null : preview(desk, view, chosen, session)}`,
  };
}

/** The records that were found, each with a link to what merging into it would change. */
function candidates(desk: DeskTable, from: ReferenceEntity, found: readonly ReferenceEntity[]): Html {
  const { name, table: reference } = desk;
  const others = found.filter(({ id }) => id !== from.id);
  if (others.length === 0) return html`<p><strong>${texts.none}</strong></p>`;
  const columns = shownColumns(desk);
  const rows = others.map((record) => {
    const values = record as unknown as RecordValues;
    return [
      html`<a href="${mergeAddress(name, from.id, record.id)}">${nameOf(recordLabel(reference, values))}</a>`,
      ...columns.map((column) => shownValue(values[column])),
      shownValue(record.id),
    ];
  });
  const headings = [texts.into, ...columns.map(tablesTexts.column), tablesTexts.column('id')];
  return table(texts.choose, headings.map(textColumn), rows);
}

/** The columns of the unique key beside the name, which tell records of one name apart. */
const shownColumns = ({ table: { statements } }: DeskTable) =>
  statements.uniqueKey.filter((column) => column !== 'name');

function preview(
  desk: DeskTable,
  { from, reason }: MergeView,
  { into, result, likeness }: NonNullable<MergeView['chosen']>,
  session: DeskSession,
): Html {
  const { name, table: reference } = desk;
  const [one, other] = [from, into].map((record) => record as unknown as RecordValues);
  const rows = [...reference.fields.keys(), 'id'].map((column) => [
    tablesTexts.column(column),
    shownValue(one![column]),
    shownValue(other![column]),
  ]);
  const columns = [deskTexts.tables.conflict.field, texts.from, texts.to].map(textColumn);
  const filter = seriesFilter(name, from.id);
  const fields = html`${hidden('into', String(into.id))} ${reasonField(reason, [])}`;
  return html`<section>
    ${table(texts.differ, columns, rows)} ${likenessNotes(likeness)}
    ${
      result === null
        ? null
        : html`<h2>${texts.preview}</h2>
            <p><strong>${texts.counts(result.counts.series ?? 0, result.counts.aliases ?? 0)}</strong></p>
            ${filter === null ? null : html`<p><a href="/browse?${filter}">${tablesTexts.usedSeries}</a></p>`}
            ${deskForm({ action: mergeAddress(name, from.id), fields, submit: texts.merge }, session)}`
    }
  </section>`;
}
