/** A row of a table with its number, from 1. */
export interface SampleRow {
  readonly number: number;
  /** The line of the file on which it begins, where that is another number. */
  readonly line?: number;
  readonly cells: readonly string[];
}

/** What is looked at of a table to propose a mapping. */
export interface TableSample {
  /** Of the file, as its owner calls it. */
  readonly fileName: string;
  /** Null for files without sheets. */
  readonly sheetName: string | null;
  /** Of the workbook, in order; empty for other files. */
  readonly sheetNames: readonly string[];
  /** Null where nothing stands between cells, as in workbooks. */
  readonly delimiter: string | null;
  /** Whether the file is text in UTF-8, or says its encoding itself. */
  readonly isDecoded: boolean;
  /** Rows with something in them, in order: the first ones, the last ones and those that differ. */
  readonly rows: readonly SampleRow[];
}

/** Rows that are kept in any case: from the begin, and from the end. */
const HEAD_ROWS = 400;
const TAIL_ROWS = 60;
/** Shapes of cells that are kept of a column, and columns of which they are. */
const MAX_SHAPES = 40;
const MAX_COLUMNS = 300;
/** Texts without digits that are kept of a column, as long as it has no more of them. */
const MAX_TEXTS = 400;
/** Rows that are kept for their shapes and texts. */
const MAX_NOVEL_ROWS = 2500;

/**
 * Takes a sample of the rows of a table as they come: the first and the last ones, and each that
 * has a cell that is written in another way than those before it in its column, or a text that none
 * of them has. A decimal comma, a day above 12, a total, a country or a currency in the middle of a
 * long file is in the sample, too.
 */
export class RowSampler {
  private readonly head: SampleRow[] = [];
  private readonly novel: SampleRow[] = [];
  private tail: SampleRow[] = [];
  private readonly shapes: Set<string>[] = [];
  private readonly texts: Set<string>[] = [];

  add(row: SampleRow): void {
    if (row.cells.every((cell) => cell.trim() === '')) return;
    const isNovel = this.addShapes(row.cells);
    if (this.head.length < HEAD_ROWS) return void this.head.push(row);
    if (isNovel && this.novel.length < MAX_NOVEL_ROWS) return void this.novel.push(row);
    this.tail.push(row);
    if (this.tail.length >= 2 * TAIL_ROWS) this.tail = this.tail.slice(-TAIL_ROWS);
  }

  get rows(): SampleRow[] {
    const rows = [...this.head, ...this.novel, ...this.tail.slice(-TAIL_ROWS)];
    return rows.sort((one, other) => one.number - other.number);
  }

  private addShapes(cells: readonly string[]): boolean {
    let isNovel = false;
    for (let column = 0; column < cells.length && column < MAX_COLUMNS; column++) {
      const cell = cells[column]!;
      const isShape = (this.shapes[column]?.size ?? 0) < MAX_SHAPES;
      if (isShape) isNovel = add((this.shapes[column] ??= new Set()), shapeOf(cell)) || isNovel;
      const texts = (this.texts[column] ??= new Set());
      if (texts.size < MAX_TEXTS && !/\d/.test(cell)) isNovel = add(texts, cell.slice(0, 60)) || isNovel;
    }
    return isNovel;
  }
}

/** Adds a text to a set. @returns whether it is a new one */
const add = (known: Set<string>, text: string): boolean => !known.has(text) && Boolean(known.add(text));

/** How a cell is written: its signs, the lengths of its numbers, and whether one is above 12. */
const shapeOf = (cell: string): string =>
  cell
    .slice(0, 60)
    .replace(/\d+/g, (digits) =>
      digits.length === 2 && digits > '12' ? 'D9' : '9'.repeat(Math.min(digits.length, 5)),
    )
    .replace(/[\p{L}\p{M}]+/gu, 'a')
    .replace(/(?:a[ ,;()-]*){2,}/g, 'aa');
