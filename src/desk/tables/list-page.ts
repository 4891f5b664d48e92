import type { AddressValues } from '../../web/address.js';
import { field, hidden, select } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { pageLinks } from '../../web/paging.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import type { Page } from '../../platform/listing/page.js';
import type { QueryPairs } from '../../platform/validation/query-pairs.js';
import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import type { DeskView } from '../layout/desk-page.js';
import { deskTexts } from '../texts.js';
import type { DeskTable } from './desk-tables.js';
import { recordLabel, shownValue } from './record-text.js';
import { type TableOutcome, recordAddress, tableAddress } from './table-address.js';

const { tables: texts } = deskTexts;

/** Longer texts are on the page of their record only. */
const LONG_TEXT = 300;

/** The page of a table: search, filters, and its records. */
export function listPage(
  desk: DeskTable,
  page: Page<ReferenceEntity>,
  query: QueryPairs,
  done: TableOutcome | undefined,
): DeskView {
  const { name } = desk;
  const state = stateOf(desk, query);
  const address = (values: AddressValues) => tableAddress(name, { ...state, ...values });
  const isFiltered = Object.entries(state).some(([key, value]) => key !== 'order' && value !== '');
  return {
    title: texts.all(name),
    section: '/desk/tables',
    main: html`<p class="path"><a href="/desk/tables">${texts.title}</a></p>
      <h1>${texts.all(name)}</h1>
      ${done === undefined ? null : html`<p role="status"><strong>${texts.done[done]}</strong></p>`}
      <p><a href="${tableAddress(`${name}/new`)}">${texts.create(texts.one(name))}</a></p>
      ${filterForm(desk, state)}
      ${page.count > 0 ? records(desk, page, state, address) : nothing(name, isFiltered)}
      ${pageLinks(page.page, page.lastPage, (to) => address({ page: to }))}`,
  };
}

type ListState = Readonly<Record<string, string>>;

/** The filters and the order, as the address says them. */
function stateOf({ table: { fields } }: DeskTable, query: QueryPairs): ListState {
  const names = ['search', ...fields.keys(), 'order'];
  return Object.fromEntries(names.map((name) => [name, query.all(name).join(',')]));
}

/** The form of the filters: fields with few values have one, others stay as they are. */
function filterForm({ name, table: { fields } }: DeskTable, state: ListState): Html {
  const filters = [...fields].map(([column, { kind, schema }]) => {
    if (kind === 'choice') {
      const options = [['', texts.any], ...schema.enum!.map((item) => [item, item] as const)] as const;
      return select(texts.column(column), column, state[column]!, options);
    }
    const isCode = kind === 'country' || kind === 'currency' || kind === 'date';
    return isCode
      ? field(texts.column(column), column, state[column], kind === 'date' ? 'date' : 'text')
      : hidden(column, state[column] || undefined);
  });
  return html`<form class="row" method="get" action="${tableAddress(name)}" role="search">
    <div class="wide">${field(texts.search, 'search', state.search, 'search')}</div>
    ${filters} ${hidden('order', state.order || undefined)}
    <button>${texts.filter}</button>
  </form>`;
}

function records(
  { name, table: reference }: DeskTable,
  { items, count }: Page<ReferenceEntity>,
  state: ListState,
  address: (values: AddressValues) => string,
): Html {
  const { fields } = reference;
  const first = fields.has('name') ? 'name' : reference.statements.uniqueKey[0]!;
  const columns = [...fields.keys()].filter(
    (column) => column !== first && (fields.get(column)!.schema.maxLength ?? 0) <= LONG_TEXT,
  );
  const rows = items.map((record) => {
    const values = record as unknown as RecordValues;
    const label = first === 'name' ? recordLabel(reference, values) : String(values[first]);
    return [
      html`<a href="${recordAddress(name, record.id)}">${nameOf(label)}</a>`,
      ...columns.map((column) => shownValue(values[column])),
      shownValue(record.id),
    ];
  });
  const heading = (column: string) => orderLink(column, state.order!, address);
  const isNumber = (column: string) => fields.get(column)?.kind === 'decimal' || column === 'id';
  return table(
    texts.found(wholeNumber(count)),
    [first, ...columns, 'id'].map((column) =>
      isNumber(column) ? numberColumn(heading(column)) : textColumn(heading(column)),
    ),
    rows,
  );
}

/** A heading that orders the list by its column, and once more the other way round. */
function orderLink(column: string, order: string, address: (values: AddressValues) => string): Html {
  const next = order === column ? `-${column}` : column;
  const shown = order === column ? texts.ascending : order === `-${column}` ? texts.descending : '';
  return html`<a href="${address({ order: next })}">${texts.column(column)}</a> ${shown}`;
}

const nothing = (name: string, isFiltered: boolean) =>
  isFiltered
    ? html`<p><strong>${texts.nothing}</strong> <a href="${tableAddress(name)}">${texts.showAll}</a></p>`
    : html`<p><strong>${texts.none}</strong></p>`;
