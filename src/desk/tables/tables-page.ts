import { html } from '../../web/html.js';
import { exact, wholeNumber } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import type { DeskView } from '../layout/desk-page.js';
import { deskTexts } from '../texts.js';
import type { DeskTable } from './desk-tables.js';
import { tableAddress } from './table-address.js';

const { tables: texts } = deskTexts;

/** The list of the tables. @param counts of their records */
export function tablesPage(tables: readonly DeskTable[], counts: readonly number[]): DeskView {
  const rows = tables.map(({ name }, index) => [
    html`<a href="${tableAddress(name)}">${texts.all(name)}</a>`,
    exact(counts[index]!, wholeNumber),
    html`<a href="${tableAddress(`${name}/new`)}">${texts.create(texts.one(name))}</a>`,
  ]);
  const columns = [textColumn(texts.title), numberColumn(texts.records), textColumn(texts.newRecord)];
  return {
    title: texts.title,
    section: '/desk/tables',
    main: html`<h1>${texts.title}</h1>
      ${table(texts.intro, columns, rows)}`,
  };
}
