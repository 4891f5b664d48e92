import { isSerialDay } from '../../../../lib/dates/spreadsheet-day.js';
import { isTagRow } from '../../../formats/tag-row.js';
import { isMissingValue } from '../../../../lib/text/missing-values.js';
import { decimalEvidence } from '../../../formats/convention/number-signs.js';
import {
  isYear,
  monthLanguages,
  monthsOfName,
  calendarOfYear,
  patternReadings,
} from '../dates/date-patterns.js';
import { isPriceHeader } from '../columns/price-words.js';
import { fieldOfHeader, isNote } from '../columns/words.js';
import { bareNumber, hasMoney } from './cell-number.js';
import { findMarks, type FoundMarks } from './marks.js';
import type { SampleRow } from './sample.js';

/** What a cell is. */
type CellKind = 'blank' | 'missing' | 'number' | 'date' | 'text';

/** Whether a text is a number, with any signs between its digits, money around it and footnotes. */
export const isNumber = (text: string): boolean => decimalEvidence(bareNumber(text)) !== 'other';

export function cellKindOf(cell: string): CellKind {
  const text = cell.trim();
  if (text === '') return 'blank';
  if (isMissingValue(text)) return 'missing';
  if (isNumber(text)) return 'number';
  return isDate(text) ? 'date' : 'text';
}

const isDate = (text: string): boolean => patternReadings(text).length > 0 || monthsOfName(text).size > 0;

/** Where the parts of a table are. */
export interface Layout {
  /** Those of the header, none where there is none. */
  readonly header: readonly SampleRow[];
  /** Rows above the header. */
  readonly titles: readonly SampleRow[];
  /** Rows of numbers of columns below the header. */
  readonly numbered: readonly SampleRow[];
  /** The rows of the table, groups and totals among them. */
  readonly body: readonly SampleRow[];
  /** Rows below the last one with a value. */
  readonly notes: readonly SampleRow[];
  /** The first row of another table below the first one. */
  readonly second: SampleRow | null;
  /** Columns that have numbers. */
  readonly numeric: readonly number[];
  readonly width: number;
  /** Marks of missing values that only stand for them in columns of numbers. */
  readonly marks: FoundMarks;
}

/** Rows above which the first row of values is searched for. */
const MAX_TITLES = 60;
/** The part of the cells of a column that are numbers or missing. */
const MIN_NUMERIC = 0.6;
/** Rows that are compared with the first one. */
const COMPARED = 40;
const MAX_HEADER_ROWS = 4;

/**
 * Finds the parts of a table; null where no column has numbers.
 * @param headerRows numbers of the rows of the header, where they are known; none for no header
 */
export function findLayout(all: readonly SampleRow[], headerRows?: readonly number[]): Layout | null {
  // The reader leaves tags of HXL out by itself.
  const rows = all.filter(({ cells }) => !isTagRow(cells));
  const width = rows.reduce((most, { cells }) => Math.max(most, lastFilled(cells) + 1), 0);
  const marks = findMarks(rows, width, isNumber, isDate);
  const kinds = rows.map(({ cells }) =>
    Array.from({ length: width }, (_, column): CellKind => {
      const cell = cells[column] ?? '';
      return marks.all.has(cell.trim()) ? 'missing' : cellKindOf(cell);
    }),
  );
  if (headerRows !== undefined) return layoutBelow(rows, kinds, width, headerRows, marks);
  const first = firstValues(rows, kinds, width);
  if (first === null) return null;
  const { index: begin, numeric } = first;
  let headerEnd = lastHeader(rows, kinds, begin, numeric);
  const numbered = headerEnd === null ? [] : rows.slice(headerEnd + 1, begin).filter(isColumnNumbers);
  const headerBegin = headerEnd === null ? null : firstHeader(rows, kinds, headerEnd, numeric);
  const bodyBegin = headerEnd === null ? begin : headerEnd + 1;
  headerEnd ??= begin - 1;
  const last = lastValues(kinds, numeric, begin);
  const header = headerBegin === null ? [] : rows.slice(headerBegin, headerEnd + 1);
  const second = secondTable(rows, kinds, bodyBegin, last, numeric, header);
  const bodyEnd = second ?? last + 1;
  const body = rows.slice(bodyBegin, bodyEnd).filter((row) => !numbered.includes(row));
  return {
    header,
    titles: rows.slice(0, headerBegin ?? bodyBegin),
    numbered,
    body,
    notes: rows.slice(last + 1),
    second: second === null ? null : rows[second]!,
    numeric,
    width,
    marks,
  };
}

/** The parts of a table whose header is known. */
function layoutBelow(
  rows: readonly SampleRow[],
  kinds: readonly (readonly CellKind[])[],
  width: number,
  headerRows: readonly number[],
  marks: FoundMarks,
): Layout | null {
  const header = rows.filter(({ number }) => headerRows.includes(number));
  const end = headerRows.at(-1) ?? 0;
  const begin = rows.findIndex(({ number }) => number > end);
  if (begin < 0) return null;
  const numeric = numericColumns(kinds, begin, width);
  if (numeric.length === 0) return null;
  const last = lastValues(kinds, numeric, begin);
  return {
    header,
    titles: rows.filter(({ number }) => number < (headerRows[0] ?? 0)),
    numbered: rows.slice(begin, last).filter(isColumnNumbers),
    body: rows.slice(begin, last + 1).filter((row) => !isColumnNumbers(row)),
    notes: rows.slice(last + 1),
    second: null,
    numeric,
    width,
    marks,
  };
}

function lastFilled(cells: readonly string[]): number {
  for (let column = cells.length - 1; column >= 0; column--) if (cells[column]!.trim() !== '') return column;
  return -1;
}

const filled = (kinds: readonly CellKind[]) => kinds.filter((kind) => kind !== 'blank').length;

/** The first row of values, and the columns that have numbers from there on. */
function firstValues(
  rows: readonly SampleRow[],
  kinds: readonly (readonly CellKind[])[],
  width: number,
): { index: number; numeric: number[] } | null {
  for (let index = 0; index < rows.length && index < MAX_TITLES; index++) {
    if (filled(kinds[index]!) < 2 || isHeaderOfNumbers(rows, kinds, index)) continue;
    if (isColumnNumbers(rows[index]!) || isTitleOfYear(rows, kinds, index)) continue;
    if (isCountOverNames(rows, kinds, index)) continue;
    const numeric = numericColumns(kinds, index, width);
    if (isHeaderWithCodes(rows, kinds, index, numeric)) continue;
    if (numeric.some((column) => kinds[index]![column] === 'number')) return { index, numeric };
  }
  return null;
}

/**
 * Whether a row names columns of numbers, and some of them by a number, such as the code of a good.
 * A row of values may begin with texts in place of values, too: these stand below it again, or a
 * header stands above it.
 */
function isHeaderWithCodes(
  rows: readonly SampleRow[],
  kinds: readonly (readonly CellKind[])[],
  index: number,
  numeric: readonly number[],
): boolean {
  const [own, next] = [kinds[index]!, kinds[index + 1]];
  const named = numeric.filter((column) => own[column] === 'text' && next?.[column] === 'number');
  const codes = numeric.filter((column) => own[column] === 'number');
  if (codes.length === 0 || named.length < 2) return false;
  if (named.length < (named.length + codes.length) * MIN_NUMERIC) return false;
  if (kinds.slice(0, index).some((above) => filled(above) > 1)) return false;
  const textOf = (row: number, column: number) => (rows[row]!.cells[column] ?? '').trim();
  const texts = rows[index]!.cells.map((cell) => cell.trim()).filter((text) => text !== '');
  if (new Set(texts).size < texts.length) return false;
  const below = rows.slice(index + 1, index + 1 + COMPARED).map((_, at) => index + 1 + at);
  return named.every((column) => below.every((row) => textOf(row, column) !== textOf(index, column)));
}

function numericColumns(kinds: readonly (readonly CellKind[])[], from: number, width: number): number[] {
  const below = kinds.slice(from, from + COMPARED);
  return Array.from({ length: width }, (_, column) => column).filter((column) => {
    const cells = below.map((row) => row[column]!).filter((kind) => kind !== 'blank');
    const numbers = cells.filter((kind) => kind === 'number').length;
    const missing = cells.filter((kind) => kind === 'missing').length;
    return numbers > 0 && numbers + missing >= cells.length * MIN_NUMERIC;
  });
}

/** Whether the numbers of a row are years, months or days that stand in a header. */
function isHeaderOfNumbers(
  rows: readonly SampleRow[],
  kinds: readonly (readonly CellKind[])[],
  index: number,
): boolean {
  const row = rows[index]!;
  const numbers = row.cells
    .map((cell) => cell.trim())
    .filter((_, column) => kinds[index]![column] === 'number');
  // `1 USD` over rates, which have no currency beside them.
  if (numbers.length > 0 && numbers.every((text) => hasMoney(text) && /^10*$/.test(bareNumber(text)))) {
    const cells = rows[index + 1]?.cells ?? [];
    return row.cells.every((cell, column) => !hasMoney(cell) || !hasMoney(cells[column] ?? ''));
  }
  if (numbers.length < 2 || index + 1 >= rows.length)
    return (
      numbers.length === 1 &&
      (isLoneYear(kinds[index]!, numbers) || isYearOverMonths(kinds[index]!, kinds[index + 1], numbers[0]!))
    );
  if (numbers.every((text) => isYear(text) || calendarOfYear(text) !== null)) return isRising(numbers);
  const hasBegin = kinds[index]![row.cells.findIndex((cell) => cell.trim() !== '')] !== 'number';
  if (numbers.every(isSerialDay))
    return numbers.slice(1).every((text, at) => {
      const step = Number(text) - Number(numbers[at]);
      return step >= 28 && step <= 31;
    });
  if (numbers.length === 12 && numbers.every((text, at) => Number(text) === at + 1))
    return hasBegin || blankBegin(row);
  return false;
}

const blankBegin = (row: SampleRow) => (row.cells[0] ?? '').trim() === '';
const isRising = (numbers: readonly string[]) =>
  numbers.every((text, at) => at === 0 || Number(text) >= Number(numbers[at - 1])) &&
  new Set(numbers).size > 1;

/** Whether the only number of a row is a year, and the next row has more cells and no number. */
function isTitleOfYear(
  rows: readonly SampleRow[],
  kinds: readonly (readonly CellKind[])[],
  index: number,
): boolean {
  const [own, next] = [kinds[index]!, kinds[index + 1]];
  const numbers = rows[index]!.cells.filter((_, column) => own[column] === 'number');
  if (next === undefined || numbers.length !== 1 || !isYear(numbers[0]!.trim())) return false;
  return !next.includes('number') && filled(next) > filled(own);
}

/** A row with one year and nothing else but texts, above months. */
const isLoneYear = (kinds: readonly CellKind[], numbers: readonly string[]) =>
  isYear(numbers[0]!) && kinds.filter((kind) => kind === 'text' || kind === 'date').length === 0;

/** Whether a year stands between months that are over numbers, for the average of its values. */
const isYearOverMonths = (kinds: readonly CellKind[], next: readonly CellKind[] | undefined, year: string) =>
  isYear(year) && kinds.filter((kind, column) => kind === 'date' && next?.[column] === 'number').length > 1;

/** Whether a row has the numbers of the columns, as tables of statistical offices have. */
function isColumnNumbers({ cells }: SampleRow): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (texts.length < 3 || (cells[0] ?? '').trim() === '') return false;
  return texts.every(
    (text, index) =>
      Number(text.replace(/^\((\d+)\)$/, '$1')) === index + 1 || (index === 0 && /^[AАأ]$/u.test(text)),
  );
}

/** Whether a row counts columns that the next one names, as tables that were turned have it. */
function isCountOverNames(
  rows: readonly SampleRow[],
  kinds: readonly (readonly CellKind[])[],
  index: number,
): boolean {
  const columns = kinds[index]!.flatMap((kind, column) => (kind === 'number' ? [column] : []));
  const [first = 0] = columns.map((column) => Number(rows[index]!.cells[column]));
  const isCount = columns.every((column, at) => Number(rows[index]!.cells[column]) === first + at);
  const named = columns.filter((column) => kinds[index + 1]?.[column] === 'text');
  return columns.length > 2 && first <= 1 && isCount && named.length >= columns.length * MIN_NUMERIC;
}

/** The last row above the values that names their columns; null without one. */
function lastHeader(
  rows: readonly SampleRow[],
  kinds: readonly (readonly CellKind[])[],
  begin: number,
  numeric: readonly number[],
): number | null {
  for (let index = begin - 1; index >= 0; index--) {
    if (isColumnNumbers(rows[index]!)) continue;
    const isNamed = (column: number) =>
      ['text', 'date'].includes(kinds[index]![column]!) ||
      (kinds[index]![column] === 'number' &&
        (isHeaderOfNumbers(rows, kinds, index) || isHeaderWithCodes(rows, kinds, index, numeric)));
    if (isOfTable(rows, kinds, index, numeric)) continue;
    const named = numeric.filter(isNamed).length;
    if (filled(kinds[index]!) < 2 && !(numeric.length === 1 && named === 1)) continue;
    if (named >= numeric.length * MIN_NUMERIC) return index;
  }
  return null;
}

/**
 * Whether a row above the first value is one of the table, whose value is not read: beside it are
 * texts that stand below it, too, or a date above dates.
 */
function isOfTable(
  rows: readonly SampleRow[],
  kinds: readonly (readonly CellKind[])[],
  index: number,
  numeric: readonly number[],
): boolean {
  const textOf = (row: number, column: number) => (rows[row]!.cells[column] ?? '').trim();
  const below = kinds.slice(index + 1, index + 1 + COMPARED).map((_, at) => index + 1 + at);
  const repeats = (column: number) => below.some((row) => textOf(row, column) === textOf(index, column));
  // A header is repeated as a whole, and no value is called a price.
  const isOfHeader = (column: number) => repeats(column) || isPriceHeader(textOf(index, column));
  if (numeric.some((column) => kinds[index]![column] === 'text' && isOfHeader(column))) return false;
  const others = kinds[index]!.flatMap((kind, column) =>
    numeric.includes(column) || (kind !== 'text' && kind !== 'date') ? [] : [column],
  );
  return others.some((column) => {
    if (kinds[index]![column] === 'text') return repeats(column);
    const kindsBelow = below.map((row) => kinds[row]![column]).filter((kind) => kind !== 'blank');
    return kindsBelow.length > 0 && kindsBelow.every((kind) => kind === 'date');
  });
}

/** The first row of the header, which ends in a row. */
function firstHeader(
  rows: readonly SampleRow[],
  kinds: readonly (readonly CellKind[])[],
  end: number,
  numeric: readonly number[],
): number {
  let begin = end;
  while (begin > 0 && end - begin + 1 < MAX_HEADER_ROWS) {
    const index = begin - 1;
    const row = rows[index]!;
    if (rows[begin]!.number - row.number > 1) break;
    const columns = kinds[index]!.flatMap((kind, column) => (kind === 'blank' ? [] : [column]));
    if (columns.length === 2 && isRemark(row.cells[columns[0]!]!)) break;
    const overValues = columns.filter((column) => numeric.includes(column));
    const onlyYear =
      columns.length === 1 && overValues.length === 1 && isYear(row.cells[columns[0]!]!.trim());
    if (overValues.length === 0 && columns.length < 2) break;
    if (columns.length === 1 && isTitle(row.cells[columns[0]!]!)) break;
    if (columns.length === 1 && !onlyYear && !isGroupOver(kinds, end, columns[0]!, numeric)) break;
    if (
      columns.some((column) => kinds[index]![column] === 'number') &&
      !onlyYear &&
      !isHeaderOfNumbers(rows, kinds, index)
    )
      break;
    begin = index;
  }
  return begin;
}

/** Whether a row begins as a remark does, such as `Source | Ministry` above a header. */
const isRemark = (cell: string): boolean => isNote(cell) && fieldOfHeader(cell) !== 'date';

/** Whether a text alone in its row is a title, wherever it stands: a sentence of prices. */
const isTitle = (cell: string): boolean =>
  isPriceHeader(cell) && cell.trim().split(/\s+/).length >= MIN_TITLE_WORDS;
const MIN_TITLE_WORDS = 6;

/** Whether a single cell stands over some of the columns of values only. */
const isGroupOver = (
  kinds: readonly (readonly CellKind[])[],
  end: number,
  column: number,
  numeric: readonly number[],
): boolean =>
  column > 0 &&
  numeric.includes(column) &&
  numeric.some((other) => other < column) &&
  kinds[end]![column] !== 'blank';

/** The last row with a value. */
function lastValues(
  kinds: readonly (readonly CellKind[])[],
  numeric: readonly number[],
  begin: number,
): number {
  for (let index = kinds.length - 1; index > begin; index--) {
    const row = kinds[index]!;
    const values = numeric.filter((column) => row[column] === 'number' || row[column] === 'missing');
    if (values.length > 0 && filled(row) >= 2) return index;
  }
  return begin;
}

/** The first row of a second header between values; null without one. */
function secondTable(
  rows: readonly SampleRow[],
  kinds: readonly (readonly CellKind[])[],
  begin: number,
  last: number,
  numeric: readonly number[],
  header: readonly SampleRow[],
): number | null {
  const names = new Set(header.flatMap(({ cells }) => cells.map((cell) => cell.trim())));
  for (let index = begin + 1; index < last; index++) {
    const row = kinds[index]!;
    const named = numeric.filter((column) => row[column] === 'text' || row[column] === 'date');
    if (named.length < Math.max(1, numeric.length * MIN_NUMERIC)) continue;
    const texts = named.map((column) => rows[index]!.cells[column]!.trim());
    const isRepeated = texts.every((text) => names.has(text));
    // Names of columns differ; a mark of a row without values is in all of its cells.
    const isMark = new Set(texts).size * 2 <= texts.length;
    if (isRepeated || isMark || named.length < 2) continue;
    return index;
  }
  return null;
}

/** The names of columns: the cells of the rows of the header, joined. */
export function columnNames(header: readonly SampleRow[], width: number, join: string): string[] {
  return headerParts(header, width).map((parts) => {
    const named = parts.filter((part) => part !== '');
    // A cell above that is merged with the one below it has the same text.
    return named.filter((part, index) => part !== named[index - 1]).join(join);
  });
}

/** The cells of the header of each column; blank ones above its last row as those to their left. */
export function headerParts(header: readonly SampleRow[], width: number): string[][] {
  const rows = header.map(({ cells }, index) => {
    let left = '';
    return Array.from({ length: width }, (_, column) => {
      const text = (cells[column] ?? '').replace(/\s+/g, ' ').trim();
      if (index === header.length - 1) return text;
      if (text !== '') left = text;
      return left;
    });
  });
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]!));
}

/** The languages that names of months in some texts have. */
export const languagesIn = (texts: readonly string[]): string[] => {
  const names = texts.filter((text) => monthsOfName(text).size > 0);
  return names.length === 0 ? [] : (monthLanguages(names) ?? []);
};
