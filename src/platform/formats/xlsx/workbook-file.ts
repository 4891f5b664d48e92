import { strFromU8, strToU8, unzipSync, Zip, ZipDeflate } from 'fflate';
import writeExcelFile, { type Cell } from 'write-excel-file/node';
import type { CellValue, Column, ColumnType } from '../listing.js';
import type { Note } from './workbook-notes.js';

/** Characters that a cell may have; longer texts are cut. */
const MAX_TEXT = 32_767;
const DATE_FORMAT = 'yyyy-mm-dd';
/** Spreadsheets count days from 1900. */
const FIRST_DATE = '1900-03-01';
/** Day 0 of spreadsheets, in days before 1970. */
const EPOCH_DAYS = 25_569;
const DAY_MS = 86_400_000;

/** What XML has no place for, unpaired surrogates among them. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const DATA_SHEET = 'xl/worksheets/sheet1.xml';
/** By these, programs recognise what kind of archive it is. */
const FIRST_PARTS = ['[Content_Types].xml', '_rels/.rels'];
/** Entries of the archive have a time: with that of now, the same rows would make other bytes. */
const ENTRY_TIME = new Date(1980, 0, 1);

/** Thrown for files with more bytes than a workbook may have. */
export class WorkbookTooLarge extends Error {}

/**
 * A workbook that is compressed row by row. The library makes all its parts; but it would hold all
 * cells as objects, then as text, then as bytes, so the rows of the data are put into its sheet
 * here. Texts are cells of text, never formulas, whatever they begin with.
 */
export class WorkbookFile {
  private readonly chunks: Uint8Array[] = [];
  private bytes = 0;
  private readonly archive = new Zip((error, chunk) => this.keep(error, chunk));
  private readonly sheet = new ZipDeflate(DATA_SHEET);
  private readonly letters: readonly string[];
  private readonly dateStyle: string;
  private rows = 1;

  private constructor(
    private readonly columns: readonly Column[],
    private readonly maxBytes: number,
    parts: Parts,
  ) {
    this.letters = columns.map((_, index) => lettersOf(index));
    const { head, dateStyle } = dataSheetOf(parts);
    this.dateStyle = dateStyle;
    for (const name of FIRST_PARTS) this.addPart(name, parts[name]!);
    this.sheet.mtime = ENTRY_TIME;
    this.archive.add(this.sheet);
    this.sheet.push(strToU8(head));
  }

  /** Begins a workbook. */
  static async begin(columns: readonly Column[], maxBytes: number): Promise<WorkbookFile> {
    return new WorkbookFile(columns, maxBytes, await partsOf(columns, []));
  }

  /** @throws WorkbookTooLarge */
  add(rows: readonly (readonly CellValue[])[]): void {
    this.sheet.push(strToU8(rows.map((row) => this.rowXml(row)).join('')));
  }

  /**
   * The bytes of the file.
   * @throws WorkbookTooLarge
   */
  async finish(notes: readonly Note[]): Promise<Uint8Array> {
    const parts = await partsOf(this.columns, notes);
    this.sheet.push(strToU8(dataSheetOf(parts).tail), true);
    for (const [name, content] of Object.entries(parts))
      if (name !== DATA_SHEET && !FIRST_PARTS.includes(name)) this.addPart(name, content);
    this.archive.end();
    const file = new Uint8Array(this.bytes);
    let at = 0;
    for (const chunk of this.chunks) {
      file.set(chunk, at);
      at += chunk.length;
    }
    return file;
  }

  private addPart(name: string, content: Uint8Array): void {
    const part = new ZipDeflate(name);
    part.mtime = ENTRY_TIME;
    this.archive.add(part);
    part.push(content, true);
  }

  private keep(error: Error | null, chunk: Uint8Array): void {
    if (error !== null) throw error;
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes) throw new WorkbookTooLarge();
    this.chunks.push(chunk);
  }

  private rowXml(row: readonly CellValue[]): string {
    const number = ++this.rows;
    let cells = '';
    for (const [index, value] of row.entries())
      if (value !== null && value !== '')
        cells += this.cellXml(`${this.letters[index]}${number}`, value, this.columns[index]!.type);
    return `<row r="${number}">${cells}</row>`;
  }

  private cellXml(at: string, value: NonNullable<CellValue>, type: ColumnType): string {
    if (type === 'date' && String(value) >= FIRST_DATE)
      return `<c r="${at}" s="${this.dateStyle}"><v>${serialDay(String(value))}</v></c>`;
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
    if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
    return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${textXml(value)}</t></is></c>`;
  }
}

/** The files of an archive by their names. */
type Parts = Record<string, Uint8Array>;

/** What the library makes of a workbook with one row of data, which shows the style of dates. */
async function partsOf(columns: readonly Column[], notes: readonly Note[]): Promise<Parts> {
  const date: Cell = { value: new Date(0), type: Date, format: DATE_FORMAT };
  const file = writeExcelFile([
    { data: [columns.map(({ name }) => heading(name)), [date]], sheet: 'Data', stickyRowsCount: 1 },
    {
      data: notes.map(([label, ...values]) => [heading(label), ...values.map(textCell)]),
      sheet: 'Notes',
      columns: [{ width: 30 }, { width: 80 }, { width: 50 }, { width: 50 }],
    },
  ]);
  return unzipSync(await file.toBuffer());
}

/** The sheet of data, divided where its rows are to be. */
function dataSheetOf(parts: Parts): { head: string; dateStyle: string; tail: string } {
  const xml = strFromU8(parts[DATA_SHEET]!);
  const found = /<row r="2"><c r="A2" s="(\d+)"><v>\d+<\/v><\/c><\/row>/.exec(xml);
  if (found === null) throw new Error('The library writes sheets in another way.');
  const [row, dateStyle] = found;
  return {
    head: xml.slice(0, found.index),
    dateStyle: dateStyle!,
    tail: xml.slice(found.index + row.length),
  };
}

const heading = (text: string): Cell => ({ value: text, type: String, fontWeight: 'bold' });
const textCell = (text: string): Cell =>
  text === '' ? null : { value: text.slice(0, MAX_TEXT), type: String };

/** The days of a date since the one that spreadsheets begin with. */
const serialDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS + EPOCH_DAYS;

const textXml = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .replace(NOT_XML, '')
    .replace(/[&<>]/g, (character) => ESCAPES[character]!);

/** The name of a column: A to Z, then AA. */
function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : lettersOf(Math.floor(index / 26) - 1) + last;
}
