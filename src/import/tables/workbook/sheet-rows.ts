import { ImportRejected } from '../../formats/batch.js';
import type { Epoch } from '../../../lib/dates/spreadsheet-day.js';
import { isoOfSerial } from './cell-styles.js';
import { RichText, unescaped } from './shared-strings.js';
import { damagedWorkbook, type WorkbookParts } from './workbook-parts.js';

/** Cells with a value in a sheet. */
const MAX_CELLS = 2_000_000;
/** Cells of a sheet with the blank ones of its rows. */
export const MAX_POSITIONS = 50_000_000;
/** Rows and columns that a sheet of Excel has. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** Length of the part, unpacked. */
const MAX_BYTES = 512 * 1024 * 1024;

/** A row with values. */
export interface SheetRow {
  /** As the sheet numbers it, from 1. */
  readonly number: number;
  /** Up to its last cell with a value. */
  readonly texts: string[];
  /** As `TableRecords.types`. */
  readonly types: string;
  /** The first column, from 0, with a formula whose result the workbook does not have; else -1. */
  readonly unknown: number;
}

/** What cells refer to. */
export interface CellContext {
  readonly strings: readonly string[];
  /** Which styles show dates. */
  readonly dateStyles: readonly boolean[];
  readonly epoch: Epoch;
}

/**
 * The rows of a sheet that have a value, some at a time.
 * @throws ImportRejected for a sheet that is damaged, or has more cells than are read
 */
export async function* sheetRows(
  parts: WorkbookParts,
  path: string,
  context: CellContext,
): AsyncGenerator<SheetRow[]> {
  for await (const sheet of parts.read(path, MAX_BYTES, new SheetReader(context)))
    if (sheet.rows.length > 0) yield sheet.take();
}

/** Makes rows of the tags of a sheet. */
class SheetReader {
  rows: SheetRow[] = [];
  private cells = 0;
  private positions = 0;
  private row = 0;
  private texts: string[] = [];
  private types: string[] = [];
  private lastTypes = '';
  private unknown = -1;

  private column = -1;
  private type = '';
  private isDate = false;
  private value = '';
  private isValue = false;
  private hasValue = false;
  private hasFormula = false;
  private readonly inline = new RichText();

  constructor(private readonly context: CellContext) {}

  take(): SheetRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'c') this.openCell(attributes);
    else if (name === 'v') this.isValue = this.hasValue = true;
    else if (name === 'row') {
      this.row = attributes.r === undefined ? this.row + 1 : Number(attributes.r);
      if (!(this.row >= 1 && this.row <= MAX_ROWS)) throw damagedWorkbook();
      this.column = -1;
    } else if (name === 'f') this.hasFormula = true;
    else this.inline.open(name);
  }

  text(text: string): void {
    if (this.isValue) this.value += text;
    else this.inline.add(text);
  }

  close(name: string): void {
    if (name === 'v') this.isValue = false;
    else if (name === 'c') this.closeCell();
    else if (name === 'row') this.closeRow();
    else this.inline.close(name);
  }

  private openCell({ r: reference, t: type = 'n', s: style }: Readonly<Record<string, string>>): void {
    this.column = reference === undefined ? this.column + 1 : columnOf(reference);
    if (!(this.column >= 0 && this.column < MAX_COLUMNS)) throw damagedWorkbook();
    this.type = type;
    this.isDate = style !== undefined && this.context.dateStyles[Number(style)] === true;
    this.value = '';
    this.hasValue = this.hasFormula = false;
  }

  private closeCell(): void {
    const inline = this.inline.take();
    const { value, type } = this;
    // A formula may well give a blank text.
    if (this.hasFormula && value === '' && !(type === 'str' && this.hasValue) && type !== 'inlineStr') {
      if (this.unknown < 0) this.unknown = this.column;
      return this.add('?', 't');
    }
    if (type === 'inlineStr') this.add(inline, 't');
    else if (type === 's') this.addShared(value);
    else if (type === 'str' || type === 'e') this.add(unescaped(value), 't');
    else if (type === 'b') this.add(value === '' ? '' : value === '1' ? 'true' : 'false', 't');
    else if (type === 'd') this.add(value.replace(/T00:00(:00(\.0+)?)?Z?$/, ''), 'd');
    else if (type === 'n') this.addNumber(value);
    else throw damagedWorkbook();
  }

  private addShared(index: string): void {
    const text = index === '' ? '' : this.context.strings[Number(index)];
    if (text === undefined) throw damagedWorkbook();
    this.add(text, 't');
  }

  private addNumber(text: string): void {
    if (text === '') return;
    const value = Number(text);
    if (!Number.isFinite(value)) throw damagedWorkbook();
    const date = this.isDate ? isoOfSerial(value, this.context.epoch) : null;
    if (date === null) this.add(String(value), 'n');
    else this.add(date, 'd');
  }

  private add(text: string, type: string): void {
    if (text === '') return;
    const { texts, types, column } = this;
    while (texts.length < column) {
      texts.push('');
      types.push('t');
    }
    texts[column] = text;
    types[column] = type;
    this.cells++;
  }

  private closeRow(): void {
    const { texts } = this;
    if (texts.length === 0) return;
    this.positions += texts.length;
    if (this.cells > MAX_CELLS || this.positions > MAX_POSITIONS) throw tooManyCells();
    const types = this.types.join('');
    // Nearly all rows have the same.
    if (types !== this.lastTypes) this.lastTypes = types;
    this.rows.push({ number: this.row, texts, types: this.lastTypes, unknown: this.unknown });
    this.texts = [];
    this.types = [];
    this.unknown = -1;
  }
}

export const tooManyCells = () =>
  new ImportRejected('The sheet has more than 2 million cells: save it as CSV, or divide it.');

/** The column of a cell, from 0, by its reference such as `AB12`; -1 for none. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}
