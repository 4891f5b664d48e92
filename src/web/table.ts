import { type Html, html, type HtmlValue } from './html.js';

/** A column of a table. */
export interface TableColumn {
  heading: HtmlValue;
  /** Its cells are numbers, which line up at their end. */
  isNumber?: true;
  /** Its cells are sentences, which get room where the table is wider than the window. */
  isLong?: true;
  /** The rows are in the order of its cells. */
  sort?: 'ascending' | 'descending';
}

/** A column of text. */
export const textColumn = (heading: HtmlValue): TableColumn => ({ heading });
/** A column of sentences. */
export const longColumn = (heading: HtmlValue): TableColumn => ({ heading, isLong: true });
/** A column of numbers. */
export const numberColumn = (heading: HtmlValue): TableColumn => ({ heading, isNumber: true });

/** Cells, the first of which is the heading of the row. */
export type TableRow = readonly HtmlValue[] | MutedRow;

/** A row that counts less than the others, in grey. */
export class MutedRow {
  constructor(readonly cells: readonly HtmlValue[]) {}
}

/** A table whose rows begin with their heading; it scrolls where it is wider than the page. */
export function table(caption: HtmlValue, columns: readonly TableColumn[], rows: readonly TableRow[]): Html {
  const headings = columns.map(
    (column) => html`<th scope="col" ${classOf(column)} ${sortOf(column)}>${column.heading}</th>`,
  );
  const body = rows.map((row) => {
    const [first, ...cells] = row instanceof MutedRow ? row.cells : row;
    const content = html`<th scope="row">${first}</th>
      ${cells.map((cell, index) => html`<td ${classOf(columns[index + 1]!)}>${cell}</td>`)}`;
    return row instanceof MutedRow
      ? html`<tr class="muted">
          ${content}
        </tr> `
      : html`<tr>
          ${content}
        </tr> `;
  });
  return html`<div class="scroll" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${headings}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

const classOf = ({ isNumber, isLong }: TableColumn) => (isNumber ? NUMBER : isLong ? LONG : null);
const sortOf = ({ sort }: TableColumn) => (sort === undefined ? null : html`aria-sort="${sort}"`);
const NUMBER = html`class="number"`;
const LONG = html`class="long"`;
