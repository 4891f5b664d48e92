import { parse } from 'csv-parse/sync';
import { ImportRejected, type RejectedRow } from '../formats/batch.js';
import { optionHint } from '../formats/option-hint.js';
import { quoteValue } from '../formats/values.js';
import {
  cellsOf,
  columnName,
  isHeaderBelow,
  looksNumeric,
  MAX_TITLE_CELLS,
  MAX_TITLE_LINES,
} from './header-row.js';
import { DELIMITERS, delimiterSaidIn } from './delimiters.js';
import { lineBlocks, type TextEncoding } from './lines.js';
import { TableFile, type TableRecords } from './table-file.js';

/** Characters after which an open quote is taken as never closed. */
const MAX_RECORD_LENGTH = 256 * 1024;

/**
 * A CSV file, read in blocks of lines. The delimiter is the one that the header uses, or that a
 * line `sep=;` before it names. Lines of a title before the header are left out.
 *
 * csv-parse scans its input byte by byte. Splitting a line without quotes at its delimiters returns
 * the same fields several times faster, so only lines with quotes go to csv-parse, all those of a
 * block at once.
 */
export class CsvFile extends TableFile {
  private line = 1;

  private constructor(
    private readonly blocks: AsyncGenerator<string>,
    /** Text not yet split into records, at first what follows the header in its block. */
    private rest: string,
    readonly delimiter: string,
    readonly header: readonly string[],
  ) {
    super();
  }

  /** Reads the header. @throws ImportRejected for an input without a line */
  static async open(chunks: AsyncIterable<Uint8Array>, encoding: TextEncoding = 'utf-8'): Promise<CsvFile> {
    const blocks = lineBlocks(chunks, encoding);
    let text = '';
    let skipped = 0;
    while (text === '') {
      const next = await blocks.next();
      if (next.done) throw new ImportRejected('The input is empty.');
      text = next.value.replace(/^(?:[ \t]*\r?\n)+/, (blank) => {
        skipped += blank.split('\n').length - 1;
        return '';
      });
    }
    let found = findHeader(text);
    while (!found.isCertain) {
      const next = await blocks.next();
      if (next.done) break;
      text += next.value;
      found = findHeader(text);
    }
    const { names, delimiter, end, lines } = found;
    const undecoded = names.find((name) => name.includes('\ufffd'));
    if (undecoded !== undefined) throw new ImportRejected(notUtf8(undecoded));
    const file = new CsvFile(blocks, text.slice(end), delimiter, names);
    file.line = skipped + lines + 1;
    return file;
  }

  /** A file of which all rows are records, also those above a header that somebody else finds. */
  static openRows(
    chunks: AsyncIterable<Uint8Array>,
    delimiter: string,
    encoding: TextEncoding = 'utf-8',
  ): CsvFile {
    return new CsvFile(lineBlocks(chunks, encoding), '', delimiter, []);
  }

  async *batches(): AsyncGenerator<TableRecords> {
    for await (const block of this.blocksAfterHeader()) {
      const batch = this.splitRecords(this.rest + block, false);
      if (batch.records.length > 0 || batch.rejects.length > 0) yield batch;
    }
    const batch = this.splitRecords(this.rest, true);
    if (batch.records.length > 0 || batch.rejects.length > 0) yield batch;
  }

  private async *blocksAfterHeader(): AsyncGenerator<string> {
    yield '';
    yield* this.blocks;
  }

  /** Splits text into records. An incomplete last one is kept in `rest` for the next block. */
  private splitRecords(text: string, isLast: boolean): TableRecords {
    const records: string[][] = [];
    const lineNumbers: number[] = [];
    const rejects: RejectedRow[] = [];
    const quoted: { index: number; text: string }[] = [];
    const lines = text.split('\n');
    // Blocks hold whole lines, so text after the last newline occurs only at the end of the file.
    const isCut = lines.at(-1) !== '';
    if (!isCut) lines.pop();
    const hasQuotes = text.includes('"');
    this.rest = '';
    let current = 0;
    while (current < lines.length) {
      let line = lines[current]!;
      if (hasQuotes && line.includes('"')) {
        let end = current + 1;
        let isOpen = hasOpenQuote(line);
        while (isOpen && end < lines.length && line.length < MAX_RECORD_LENGTH) {
          isOpen = hasOpenQuote(lines[end]!) !== isOpen;
          line += `\n${lines[end++]}`;
        }
        if (isOpen && !isLast && line.length < MAX_RECORD_LENGTH) {
          this.rest = `${line}\n`;
          break;
        }
        line = stripCarriageReturn(line);
        if (isOpen || (end > current + 1 && parseOne(line, this.delimiter) === null)) {
          // A quote is never closed or misplaced: only this line is lost, not those after it.
          rejects.push(unreadable(this.line));
          end = current + 1;
        } else {
          quoted.push({ index: records.length, text: line });
          records.push([]);
          lineNumbers.push(this.line);
        }
        this.line += end - current;
        current = end;
        continue;
      }
      line = stripCarriageReturn(line);
      if (line !== '') {
        records.push(line.split(this.delimiter));
        lineNumbers.push(this.line);
      }
      this.line++;
      current++;
    }
    const batch: TableRecords = { records, lines: lineNumbers, rejects, isCut, text };
    return quoted.length === 0 ? batch : this.parseQuoted(batch, quoted);
  }

  /** Fills in the records of lines with quotes. */
  private parseQuoted(batch: TableRecords, quoted: { index: number; text: string }[]): TableRecords {
    const { records, lines, isCut, text } = batch;
    const rejects = [...batch.rejects];
    const parsed = parseAll(
      quoted.map(({ text }) => text),
      this.delimiter,
    );
    const nested: { index: number; text: string }[] = [];
    let isComplete = true;
    for (const [position, { index }] of quoted.entries()) {
      const record = parsed[position] ?? null;
      if (record === null) {
        rejects.push(unreadable(lines[index]!));
        isComplete = false;
      } else if (record.length === 1 && this.header.length > 1 && record[0]!.includes(this.delimiter)) {
        // A spreadsheet has quoted the whole line: its only field is the record.
        if (record[0]!.includes('"')) nested.push({ index, text: record[0]! });
        else records[index] = record[0]!.split(this.delimiter);
      } else {
        records[index] = record;
      }
    }
    if (nested.length > 0) {
      const inner = parseAll(
        nested.map(({ text }) => text),
        this.delimiter,
      );
      for (const [position, { index }] of nested.entries()) {
        if (inner[position]) records[index] = inner[position];
        else rejects.push(unreadable(lines[index]!));
        isComplete &&= Boolean(inner[position]);
      }
    }
    if (isComplete) return { records, lines, rejects, isCut, text };
    const readable = [...records.keys()].filter((index) => records[index]!.length > 0);
    return {
      records: readable.map((index) => records[index]!),
      lines: readable.map((index) => lines[index]!),
      rejects,
      isCut,
      text,
    };
  }
}

/** What is said of a file whose header has bytes that are not UTF-8, as spreadsheets save them. */
const notUtf8 = (name: string): string =>
  `The input is not UTF-8: its header has ${quoteValue(name)}. Specify the encoding that it was saved in with ` +
  `${optionHint('encoding', ['windows-1252'])} or another, or save it in UTF-8.`;

const unreadable = (line: number): RejectedRow => ({
  line,
  field: '',
  reason: 'unreadable',
  detail: 'The line is not valid CSV: a quote is missing or misplaced.',
});

/** The header of a file, with the text and the lines up to its end. */
interface FoundHeader {
  readonly names: string[];
  readonly delimiter: string;
  readonly end: number;
  readonly lines: number;
}

/**
 * Finds the header in the first lines of a file: the first one, unless a line `sep=` or the lines
 * of a title are before it. Those have at most half of the cells of the header, which has no
 * numbers, and the line below it is as long.
 * @returns the header, and whether more lines of the file cannot show another one
 */
function findHeader(text: string): FoundHeader & { isCertain: boolean } {
  let end = 0;
  let lines = 0;
  let separator: string | null = null;
  let first: FoundHeader | null = null;
  let isCertain = false;
  while (end < text.length && lines < MAX_TITLE_LINES && !isCertain) {
    const record = recordAt(text, end);
    end += record.length + 1;
    lines += record.split('\n').length;
    const line = stripCarriageReturn(record);
    const said: string | null = first === null ? delimiterSaidIn(line) : null;
    if (said !== null) {
      separator = said;
      continue;
    }
    const found: FoundHeader = { ...headerOf(line, separator), end, lines };
    const cells = cellsOf(found.names);
    if (cells === 0) continue;
    const nextLength = () =>
      end >= text.length ? null : headerOf(recordAt(text, end), separator).names.length;
    if (first === null || isHeaderBelow(first.names, found.names, nextLength)) {
      first = found;
      isCertain = cells > MAX_TITLE_CELLS && !hasOpenQuote(line);
    }
  }
  isCertain ||= lines >= MAX_TITLE_LINES || (first !== null && isAboveNumbers(first, text, separator));
  return { ...(first ?? { names: [], delimiter: ',', end, lines }), isCertain };
}

/** Whether a line has no numbers, and the one below it has, and as many cells. */
function isAboveNumbers(line: FoundHeader, text: string, separator: string | null): boolean {
  if (line.names.some(looksNumeric) || line.end >= text.length) return false;
  const { names } = headerOf(recordAt(text, line.end), separator);
  return names.length === line.names.length && names.some(looksNumeric);
}

/** The record that begins at an index, without the newline at its end. */
function recordAt(text: string, start: number): string {
  let end = text.indexOf('\n', start);
  // A quote that is never closed ends with its line.
  for (let next = end; next >= 0 && next - start < MAX_RECORD_LENGTH; next = text.indexOf('\n', next + 1)) {
    if (hasOpenQuote(text.slice(start, next))) continue;
    end = next;
    break;
  }
  return end < 0 ? text.slice(start) : text.slice(start, end);
}

/** The names of a header, with line breaks in them as blanks, and its delimiter. */
function headerOf(line: string, separator: string | null): Pick<FoundHeader, 'names' | 'delimiter'> {
  const outside = line.replace(/"[^"]*"/g, '');
  const count = (delimiter: string) => outside.split(delimiter).length;
  const delimiter = separator ?? DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
  const names = (line.includes('"') ? parseOne(line, delimiter) : line.split(delimiter)) ?? [];
  const [only = ''] = names;
  // A spreadsheet has quoted the whole line.
  if (names.length === 1 && line.startsWith('"') && DELIMITERS.some((one) => only.includes(one)))
    return headerOf(only, separator);
  return { names: names.map(columnName), delimiter };
}

/** Whether a line has an odd number of quotes, so that a field continues on the next line. */
function hasOpenQuote(line: string): boolean {
  let isOpen = false;
  for (let index = line.indexOf('"'); index >= 0; index = line.indexOf('"', index + 1)) isOpen = !isOpen;
  return isOpen;
}

function stripCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Parses texts of one record each; null for each that is invalid. */
function parseAll(texts: string[], delimiter: string): (string[] | null)[] {
  try {
    const records = parse(texts.join('\n'), csvOptions(delimiter));
    if (records.length === texts.length) return records;
  } catch {
    // At least one is invalid: parse them one by one.
  }
  return texts.map((text) => parseOne(text, delimiter));
}

function parseOne(text: string, delimiter: string): string[] | null {
  try {
    const records = parse(text, csvOptions(delimiter));
    return records.length === 1 ? records[0]! : null;
  } catch {
    return null;
  }
}

const csvOptions = (delimiter: string) =>
  ({ delimiter, record_delimiter: '\n', relax_column_count: true }) as const;
