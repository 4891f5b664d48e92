import { parse } from 'csv-parse/sync';
import { type Batch, ImportRejected } from './batch.js';
import { type Encoding, lineBlocks } from './lines.js';

/** Characters after which a record that is still inside quotes is given up: its quote was never closed. */
const LONGEST_RECORD = 256 * 1024;

/** Some records of a file, each an array of its fields, with the line each begins on. */
export interface CsvRecords {
  readonly records: string[][];
  readonly lines: number[];
  /** Lines that are no CSV. */
  readonly unreadable: number[];
}

/**
 * A CSV file, read a block at a time. The delimiter, comma or semicolon, is the one that the header uses.
 *
 * csv-parse goes through its input byte by byte. A line without a quote needs none of that: cutting it at its delimiters gives
 * the same fields several times faster. So only lines with quotes go to csv-parse, all those of a block together.
 */
export class CsvFile {
  private line = 1;

  private constructor(
    private readonly blocks: AsyncGenerator<string>,
    /** Text that follows the header in the block it came with. */
    private rest: string,
    readonly delimiter: ',' | ';',
    /** The column names, trimmed, as the file has them. */
    readonly header: readonly string[],
  ) {}

  /**
   * Reads the header.
   * @throws ImportRefused for an input without any line
   */
  static async open(chunks: AsyncIterable<Uint8Array>, encoding: Encoding = 'utf-8'): Promise<CsvFile> {
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
    const end = text.indexOf('\n');
    const first = (end < 0 ? text : text.slice(0, end)).replace(/\r$/, '');
    const outside = first.replace(/"[^"]*"/g, '');
    const delimiter = outside.split(';').length > outside.split(',').length ? ';' : ',';
    const names = first.includes('"') ? parseOne(first, delimiter) : first.split(delimiter);
    const file = new CsvFile(
      blocks,
      end < 0 ? '' : text.slice(end + 1),
      delimiter,
      names?.map((name) => name.trim()) ?? [],
    );
    file.line = skipped + 2;
    return file;
  }

  /** The records after the header. Blank lines are left out. */
  async *batches(): AsyncGenerator<CsvRecords> {
    for await (const block of this.blocksAfterHeader()) {
      const batch = this.cut(this.rest + block, false);
      if (batch.records.length > 0 || batch.unreadable.length > 0) yield batch;
    }
    const batch = this.cut(this.rest, true);
    if (batch.records.length > 0 || batch.unreadable.length > 0) yield batch;
  }

  private async *blocksAfterHeader(): AsyncGenerator<string> {
    yield '';
    yield* this.blocks;
  }

  /** Cuts text into records. One that the text does not hold whole becomes `rest`, unless nothing follows. */
  private cut(text: string, last: boolean): CsvRecords {
    const records: string[][] = [];
    const numbers: number[] = [];
    const unreadable: number[] = [];
    const quoted: { at: number; text: string }[] = [];
    const lines = text.split('\n');
    // What follows the last newline is the beginning of a line only at the end of the file: blocks hold whole lines.
    if (lines.at(-1) === '') lines.pop();
    const quotes = text.includes('"');
    this.rest = '';
    let at = 0;
    while (at < lines.length) {
      let line = lines[at]!;
      if (quotes && line.includes('"')) {
        let end = at + 1;
        let open = hasOpenQuote(line);
        while (open && end < lines.length && line.length < LONGEST_RECORD) {
          open = hasOpenQuote(lines[end]!) !== open;
          line += `\n${lines[end++]}`;
        }
        if (open && !last && line.length < LONGEST_RECORD) {
          this.rest = `${line}\n`;
          break;
        }
        line = withoutReturn(line);
        if (open || (end > at + 1 && parseOne(line, this.delimiter) === null)) {
          // A quote that is never closed, or stands where none may: this line is lost, those after it are not.
          unreadable.push(this.line);
          end = at + 1;
        } else {
          quoted.push({ at: records.length, text: line });
          records.push([]);
          numbers.push(this.line);
        }
        this.line += end - at;
        at = end;
        continue;
      }
      line = withoutReturn(line);
      if (line !== '') {
        records.push(line.split(this.delimiter));
        numbers.push(this.line);
      }
      this.line++;
      at++;
    }
    if (quoted.length === 0) return { records, lines: numbers, unreadable };
    return this.withQuoted({ records, lines: numbers, unreadable }, quoted);
  }

  /** Fills in the records that hold quotes. */
  private withQuoted(batch: CsvRecords, quoted: { at: number; text: string }[]): CsvRecords {
    const { records, lines, unreadable } = batch;
    const parsed = parseAll(
      quoted.map(({ text }) => text),
      this.delimiter,
    );
    const again: { at: number; text: string }[] = [];
    let whole = true;
    for (const [index, { at }] of quoted.entries()) {
      const record = parsed[index] ?? null;
      if (record === null) {
        unreadable.push(lines[at]!);
        whole = false;
      } else if (record.length === 1 && this.header.length > 1 && record[0]!.includes(this.delimiter)) {
        // A spreadsheet has put quotes around the whole line: the only field is the record.
        if (record[0]!.includes('"')) again.push({ at, text: record[0]! });
        else records[at] = record[0]!.split(this.delimiter);
      } else {
        records[at] = record;
      }
    }
    if (again.length > 0) {
      const inner = parseAll(
        again.map(({ text }) => text),
        this.delimiter,
      );
      for (const [index, { at }] of again.entries()) {
        if (inner[index]) records[at] = inner[index];
        else unreadable.push(lines[at]!);
        whole &&= Boolean(inner[index]);
      }
    }
    if (whole) return batch;
    const kept = [...records.keys()].filter((at) => records[at]!.length > 0);
    return { records: kept.map((at) => records[at]!), lines: kept.map((at) => lines[at]!), unreadable };
  }
}

/** Notes the lines that are no CSV, and refuses records with more or fewer fields than the header has columns. */
export function rejectUnreadable(batch: Batch<unknown>, { unreadable }: CsvRecords): void {
  batch.read += unreadable.length;
  for (const line of unreadable) {
    batch.reject(line, {
      field: '',
      reason: 'unreadable',
      detail: 'The line is not CSV: a quote is missing or stands alone.',
    });
  }
}

/** Why a record cannot be read by the columns of its file. */
export function columnCountFault(expected: number, found: number) {
  return { field: '', reason: 'columns', detail: `The line has ${found} fields, the header ${expected}.` };
}

/** Whether a line has an odd number of quotes: one field of it goes on in the next line. */
function hasOpenQuote(line: string): boolean {
  let open = false;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) open = !open;
  return open;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Parses texts of one record each; null for each that is no record. */
function parseAll(texts: string[], delimiter: string): (string[] | null)[] {
  try {
    const records = parse(texts.join('\n'), csvOptions(delimiter));
    if (records.length === texts.length) return records;
  } catch {
    // One of them is at fault: find it.
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
