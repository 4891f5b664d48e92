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
/** Rows that are kept for their shapes. */
const MAX_NOVEL_ROWS = 1500;

/**
 * Takes a sample of the rows of a table as they come: the first and the last ones, and each that
 * has a cell that is written in another way than those before it in its column. A decimal comma, a
 * day above 12 or a total in the middle of a long file is in the sample, too.
 */
export class RowSampler {
  private readonly head: SampleRow[] = [];
  private readonly novel: SampleRow[] = [];
  private tail: SampleRow[] = [];
  private readonly shapes: Set<string>[] = [];

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
      const known = (this.shapes[column] ??= new Set());
      if (known.size >= MAX_SHAPES) continue;
      const shape = shapeOf(cells[column]!);
      if (known.has(shape)) continue;
      known.add(shape);
      isNovel = true;
    }
    return isNovel;
  }
}

/** How a cell is written: its signs, the lengths of its numbers, and whether one is above 12. */
const shapeOf = (cell: string): string =>
  cell
    .slice(0, 60)
    .replace(/\d+/g, (digits) =>
      digits.length === 2 && digits > '12' ? 'D9' : '9'.repeat(Math.min(digits.length, 5)),
    )
    .replace(/[\p{L}\p{M}]+/gu, 'a')
    .replace(/(?:a[ ,;()-]*){2,}/g, 'aa');
