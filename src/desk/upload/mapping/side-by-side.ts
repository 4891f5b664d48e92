import { type Html, html, nameOf } from '../../../web/html.js';
import { wholeNumber } from '../../../web/numbers.js';
import { longColumn, table, textColumn } from '../../../web/table.js';
import type { ProposedTable } from '../../../import/mappings/propose/proposed-table.js';
import type { ImportReport } from '../../../import/pipeline/import-report.dto.js';
import { mappingTexts as texts } from '../../texts/mapping.js';
import { uploadTexts } from '../../texts/upload.js';

/** Columns of stored rows that are shown, in this order, where one has a value. */
const SHOWN = Object.keys(texts.fields).filter(
  (name) => !['year', 'month'].includes(name),
) as (keyof typeof texts.fields)[];

/** The first rows as they are in the file, and as they would be stored. */
export function sideBySide(
  { first_rows: stored = [] }: Partial<Pick<ImportReport, 'first_rows'>>,
  { rows }: ProposedTable,
): Html | null {
  if (stored.length === 0) return null;
  const source = new Map(rows.map(({ number, cells }) => [number, cells]));
  const filled = SHOWN.filter((name) => stored.some(({ values }) => values[name] !== undefined));
  const isSame = (name: string) =>
    stored.length > 1 && stored.every(({ values }) => values[name] === stored[0]!.values[name]);
  const shown = filled.filter((name) => !isSame(name));
  const same = filled.filter(isSame);
  const columns = [
    textColumn(texts.row),
    longColumn(texts.inFile),
    ...shown.map((name) => textColumn(texts.fields[name])),
  ];
  return html`<section>
    <h2>${texts.sideBySide}</h2>
    ${
      same.length === 0
        ? null
        : html`<p>
            ${texts.inAllRows}
            ${same.map(
              (name, index) =>
                html`${index === 0 ? null : '; '}${texts.fields[name]}
                  <strong>${nameOf(stored[0]!.values[name]!)}</strong>`,
            )}.
          </p>`
    }
    ${table(
      uploadTexts.rows.caption(stored.length),
      columns,
      stored.map(({ line, values }) => [
        wholeNumber(line),
        cellsOf(source.get(line)),
        ...shown.map((name) => nameOf(values[name] ?? '')),
      ]),
    )}
  </section>`;
}

const cellsOf = (cells: readonly string[] | undefined): Html =>
  html`${(cells ?? [])
    .filter((cell) => cell.trim() !== '')
    .map((cell, index) => html`${index === 0 ? null : ' | '}${nameOf(cell)}`)}`;
