import { addressOf } from '../../web/address.js';
import { html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { paged } from '../../web/paging.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import type { MappingEntry } from '../../import/mappings/stored/mapping-record.js';
import type { MappingUse } from '../../import/mappings/stored/mapping-uses.js';
import type { DeskView } from '../layout/desk-page.js';
import { instantOf } from '../layout/instant.js';
import { mappingPagesTexts as texts } from '../texts/mappings.js';
import { UPLOAD } from '../upload/upload-form.js';
import { mappingAddress, type MappingOutcome, MAPPINGS } from './mapping-address.js';

/** Mappings on one page of the list. */
const PAGE_SIZE = 50;

/** What the list of mappings shows. */
interface MappingListView {
  readonly mappings: readonly MappingEntry[];
  readonly page: number;
  /** Who has saved them, by change set. */
  readonly authors: ReadonlyMap<number, string>;
  readonly uses: ReadonlyMap<string, readonly MappingUse[]>;
  readonly done: MappingOutcome | undefined;
}

/** What mappings read, by the format whose columns they fill. */
export const tableText = (name: string): string => texts.tables[name] ?? name;

/** The records that name a mapping, in words. */
export const usesText = (uses: readonly MappingUse[] = []): string =>
  uses.length === 0 ? texts.unused : uses.map(({ kind, count }) => texts.uses(kind, count)).join(', ');

/** The list of all mappings. @throws NotFound past the last page */
export function mappingListPage({ mappings, page, authors, uses, done }: MappingListView): DeskView {
  const { items, links } = paged(mappings, page, PAGE_SIZE, (to) => addressOf(MAPPINGS, { page: to }));
  const columns = [
    ...[texts.name, texts.what, texts.table, texts.origin].map(textColumn),
    numberColumn(texts.version),
    ...[texts.savedAt, texts.by, texts.usedBy].map(textColumn),
  ];
  const rows = items.map(({ name, title, table: of, shipped, version, saved_at, change_set_id }) => [
    html`<a href="${mappingAddress(name)}">${name}</a>`,
    nameOf(title),
    tableText(of),
    shipped ? texts.shipped : texts.stored,
    version === null ? '' : wholeNumber(version),
    saved_at === null ? '' : instantOf(saved_at),
    change_set_id === null ? '' : nameOf(authors.get(change_set_id) ?? '–'),
    uses.has(name) ? usesText(uses.get(name)) : '',
  ]);
  return {
    title: texts.title,
    section: MAPPINGS,
    main: html`<h1>${texts.title}</h1>
      ${done === undefined ? null : html`<p role="status"><strong>${texts.done[done]}</strong></p>`}
      <p>${texts.how} ${texts.byUpload} <a href="${UPLOAD}">${texts.upload}</a>.</p>
      ${table(texts.note(wholeNumber(mappings.length)), columns, rows)} ${links}`,
  };
}
