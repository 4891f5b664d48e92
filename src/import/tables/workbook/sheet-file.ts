import { csvLine } from '../../../lib/text/csv.js';
import { ImportRejected, type RejectedRow } from '../../formats/batch.js';
import { optionHint } from '../../formats/option-hint.js';
import { quoteValue } from '../../formats/values.js';
import { cellsOf, columnName, isHeaderBelow, MAX_TITLE_CELLS, MAX_TITLE_LINES } from '../header-row.js';
import type { OpenedRows } from '../open-rows.js';
import { TableFile, type TableRecords } from '../table-file.js';
import { MAX_POSITIONS, type SheetRow, tooManyCells } from './sheet-rows.js';
import { WorkbookSheets, type WorksheetEntry } from './workbook-sheets.js';

/** Columns that a table has at least, unless its workbook has no other sheet. */
const MIN_COLUMNS = 2;
/** Names of sheets that a message shows. */
const MAX_NAMED = 10;

/** The header of a sheet. */
interface SheetHeader {
  /** Of its row. */
  readonly number: number;
  /** Its first column, from 0. */
  readonly from: number;
  readonly names: readonly string[];
}

/** The table of a sheet, with the rows that the sheet begins with. */
interface SheetTable extends SheetHeader {
  readonly sheet: WorksheetEntry;
  readonly rows: readonly SheetRow[];
}

/** Which table of a workbook is read. */
interface SheetChoice {
  /** Name of its sheet. */
  readonly sheet?: string | undefined;
  /** Whether a table, of which some rows are there, is one that the reader wants. */
  readonly isWanted: (file: TableFile) => Promise<boolean>;
}

/** The table in a sheet of an Excel workbook. Lines are its rows as the sheet numbers them. */
export class SheetFile extends TableFile {
  readonly delimiter = null;
  readonly header: readonly string[];

  private constructor(
    private readonly table: SheetHeader,
    private readonly rows: AsyncIterable<readonly SheetRow[]>,
    override readonly notes: readonly string[] = [],
  ) {
    super();
    this.header = table.names;
  }

  /**
   * Opens the only sheet with a table that is wanted, or the one that is named. Hidden ones are
   * left out where others have a table.
   * @throws ImportRejected for a workbook that is damaged or too large, has no table, or several of
   * which none is named
   */
  static async open(chunks: AsyncIterable<Uint8Array>, choice: SheetChoice): Promise<SheetFile> {
    const workbook = await WorkbookSheets.open(chunks);
    const table = await tableOf(workbook, choice);
    const notes = workbook.sheets.length > 1 ? [`The sheet read is ${quoteValue(table.sheet.name)}.`] : [];
    return new SheetFile(table, workbook.rows(table.sheet), notes);
  }

  /**
   * Opens all rows of a sheet as records, also those above a header that somebody else finds.
   * @param wanted its name, or its number from 1; by default the first one with a table
   * @throws ImportRejected for a workbook that is damaged or too large, or has no such sheet
   */
  static async openRows(
    chunks: AsyncIterable<Uint8Array>,
    wanted: string | number | undefined,
  ): Promise<OpenedRows> {
    const workbook = await WorkbookSheets.open(chunks);
    const { sheets } = workbook;
    const sheet =
      wanted === undefined
        ? (await tablesOf(workbook, undefined))[0]!.sheet
        : sheets.find(({ name }, index) => (typeof wanted === 'number' ? index + 1 : name) === wanted);
    if (sheet === undefined) throw withoutSheet(workbook, wanted!);
    const source = new SheetFile({ number: 0, from: 0, names: [] }, workbook.rows(sheet));
    return { source, sheet: sheet.name, sheets: sheets.map(({ name }) => name) };
  }

  /** The rows of a table that are there. */
  static ofRows(table: SheetTable): SheetFile {
    return new SheetFile(table, onlyItem(table.rows));
  }

  async *batches(): AsyncGenerator<TableRecords> {
    const { number, from, names } = this.table;
    let positions = 0;
    for await (const rows of this.rows) {
      const records: string[][] = [];
      const lines: number[] = [];
      const types: string[] = [];
      const rejects: RejectedRow[] = [];
      positions += rows.length * names.length;
      if (positions > MAX_POSITIONS) throw tooManyCells();
      for (const row of rows) {
        if (row.number <= number) continue;
        const violation = unnamedCell(row, from) ?? unknownResult(row, from, names);
        if (violation !== null) {
          rejects.push(violation);
          continue;
        }
        const record = from === 0 ? row.texts : row.texts.slice(from);
        while (record.length < names.length) record.push('');
        records.push(record);
        lines.push(row.number);
        types.push(from === 0 ? row.types : row.types.slice(from));
      }
      if (records.length > 0 || rejects.length > 0) yield { records, lines, types, rejects, isCut: false };
    }
  }
}

async function* onlyItem<T>(item: T): AsyncGenerator<T> {
  yield item;
}

/** The violation of a cell before the first column of the table. */
function unnamedCell({ number: line, texts }: SheetRow, from: number): RejectedRow | null {
  const text = from === 0 ? undefined : texts.slice(0, from).find((cell) => cell !== '');
  if (text === undefined) return null;
  const detail = `The row has ${quoteValue(text)} in a column without a name, before those of the table.`;
  return { line, field: '', reason: 'columns', detail };
}

/** The violation of a formula without a result, as programs write that do not calculate. */
function unknownResult(row: SheetRow, from: number, names: readonly string[]): RejectedRow | null {
  if (row.unknown < from) return null;
  const field = names[row.unknown - from] ?? '';
  const detail =
    'The workbook has a formula without its result: open it in a spreadsheet program, and save it there.';
  return { line: row.number, field, reason: 'no_result', detail };
}

/** Rows of a table that `workbookHeads` returns. */
const MAX_HEAD_ROWS = 100;

/**
 * The begin of each table of a workbook among which one is chosen, as CSV.
 * @param wanted name of the only one
 * @throws ImportRejected as `SheetFile.open`
 */
export async function workbookHeads(
  chunks: AsyncIterable<Uint8Array>,
  wanted?: string,
): Promise<{ sheet: string; text: string }[]> {
  const tables = await tablesOf(await WorkbookSheets.open(chunks), wanted);
  return tables.map(({ sheet, number, from, names, rows }) => {
    const below = rows
      .filter((row) => row.number > number)
      .slice(0, MAX_HEAD_ROWS)
      .map(({ texts }) => names.map((_, index) => texts[from + index] ?? ''));
    return { sheet: sheet.name, text: [names, ...below].map((cells) => csvLine(cells)).join('') };
  });
}

/** @throws ImportRejected for a workbook without a table, or with several that are wanted */
async function tableOf(workbook: WorkbookSheets, { sheet, isWanted }: SheetChoice): Promise<SheetTable> {
  const tables = await tablesOf(workbook, sheet);
  if (tables.length === 1) return tables[0]!;
  const wanted: SheetTable[] = [];
  for (const table of tables) if (await isWanted(SheetFile.ofRows(table))) wanted.push(table);
  if (wanted.length > 1) throw new ImportRejected(severalTables(wanted.map((table) => table.sheet)));
  return wanted[0] ?? tables[0]!;
}

/**
 * The tables among which one is chosen: hidden ones, and those of one column, only where there is
 * no other.
 * @param name of the only sheet
 * @throws ImportRejected where there is none
 */
async function tablesOf(workbook: WorkbookSheets, name: string | undefined): Promise<SheetTable[]> {
  const sheets = workbook.sheets.filter((sheet) => name === undefined || sheet.name === name);
  if (sheets.length === 0) throw withoutSheet(workbook, name!);
  const found: SheetTable[] = [];
  for (const sheet of sheets) {
    const table = await beginOf(workbook, sheet);
    if (table !== null) found.push(table);
  }
  const visible = found.filter(({ sheet }) => !sheet.isHidden);
  const open = visible.length > 0 ? visible : found;
  const wide = open.filter(({ names }) => names.length >= MIN_COLUMNS);
  const tables = wide.length > 0 ? wide : open;
  if (tables.length === 0) throw new ImportRejected(withoutTable(name));
  return tables;
}

/** The begin of the table of a sheet; null for a sheet without one. */
async function beginOf(workbook: WorkbookSheets, sheet: WorksheetEntry): Promise<SheetTable | null> {
  const rows: SheetRow[] = [];
  for await (const more of workbook.rows(sheet)) {
    rows.push(...more);
    if (rows.length > MAX_TITLE_LINES) break;
  }
  const header = headerOf(rows);
  return header === null || rows.at(-1)!.number <= header.number ? null : { ...header, sheet, rows };
}

/** The header among the first rows of a sheet: the first one, unless those of a title precede. */
function headerOf(rows: readonly SheetRow[]): SheetHeader | null {
  let header: SheetHeader | null = null;
  for (const [index, { number, texts }] of rows.slice(0, MAX_TITLE_LINES).entries()) {
    const names = texts.map(columnName);
    while (names.at(-1) === '') names.pop();
    const from = names.findIndex((name) => name !== '');
    if (from < 0) continue;
    const nextLength = () => rows[index + 1]?.texts.length ?? null;
    if (header === null || isHeaderBelow(header.names, names.slice(from), nextLength))
      header = { number, from, names: names.slice(from) };
    if (cellsOf(header.names) > MAX_TITLE_CELLS) break;
  }
  return header;
}

const OPTION = optionHint('sheet', ['NAME']);

const listed = (sheets: readonly WorksheetEntry[]): string =>
  sheets
    .slice(0, MAX_NAMED)
    .map(({ name }) => JSON.stringify(name))
    .join(', ') + (sheets.length > MAX_NAMED ? ', …' : '');

const severalTables = (sheets: readonly WorksheetEntry[]): string =>
  `Several sheets of the workbook have such a table: ${listed(sheets)}. Specify one with ${OPTION}.`;

const withoutSheet = ({ sheets }: WorkbookSheets, wanted: string | number): ImportRejected =>
  new ImportRejected(
    `The workbook has no sheet ${typeof wanted === 'number' ? wanted : quoteValue(wanted)}, but ${listed(sheets)}. Specify one with ${OPTION}.`,
    sheets.map(({ name }) => name),
  );

const withoutTable = (name: string | undefined): string =>
  `${name === undefined ? 'No sheet of the workbook has a' : `The sheet ${quoteValue(name)} has no`} header with rows below it.`;
