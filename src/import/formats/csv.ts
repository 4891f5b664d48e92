import { parse } from 'csv-parse/sync';
import { type Batch, ImportRejected, type RowViolation } from './batch.js';
import { lineBlocks, type TextEncoding } from './lines.js';

/** Characters after which an open quote is taken as never closed. */
const MAX_RECORD_LENGTH = 256 * 1024;

/** Some records of a file, each an array of fields, with the line number each starts on. */
export interface CsvRecords {
  readonly records: string[][];
  readonly lines: number[];
  /** Numbers of the lines that are not valid CSV. */
  readonly unreadable: number[];
}

/**
 * A CSV file, read in blocks of lines. The delimiter, comma or semicolon, is the one the header
 * uses.
 *
 * csv-parse scans its input byte by byte. Splitting a line without quotes at its delimiters returns
 * the same fields several times faster, so only lines with quotes go to csv-parse, all those of a
 * block at once.
 */
export class CsvFile {
  private line = 1;

  private constructor(
    private readonly blocks: AsyncGenerator<string>,
    /** Text not yet split into records, at first what follows the header in its block. */
    private rest: string,
    readonly delimiter: ',' | ';',
    /** The column names as in the file, trimmed. */
    readonly header: readonly string[],
  ) {}

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

  /**
   * Reads the records into batches. Lines that are not valid CSV, or have more or fewer fields than
   * the header, are rejected.
   * @param readRecord adds a record to the batch, or returns why it is rejected
   */
  async *read<B extends Batch<unknown>>(
    createBatch: () => B,
    readRecord: (record: string[], line: number, batch: B) => RowViolation | void,
  ): AsyncGenerator<B> {
    const columns = this.header.length;
    for await (const { records, lines, unreadable } of this.batches()) {
      const batch = createBatch();
      batch.read = records.length + unreadable.length;
      for (const line of unreadable) batch.reject(line, UNREADABLE);
      for (let index = 0; index < records.length; index++) {
        const record = records[index]!;
        const violation =
          record.length === columns
            ? readRecord(record, lines[index]!, batch)
            : columnCountViolation(columns, record.length);
        if (violation !== undefined) batch.reject(lines[index]!, violation);
      }
      yield batch;
    }
  }

  /** The records after the header, without blank lines. */
  async *batches(): AsyncGenerator<CsvRecords> {
    for await (const block of this.blocksAfterHeader()) {
      const batch = this.splitRecords(this.rest + block, false);
      if (batch.records.length > 0 || batch.unreadable.length > 0) yield batch;
    }
    const batch = this.splitRecords(this.rest, true);
    if (batch.records.length > 0 || batch.unreadable.length > 0) yield batch;
  }

  private async *blocksAfterHeader(): AsyncGenerator<string> {
    yield '';
    yield* this.blocks;
  }

  /** Splits text into records. An incomplete last one is kept in `rest` for the next block. */
  private splitRecords(text: string, isLast: boolean): CsvRecords {
    const records: string[][] = [];
    const lineNumbers: number[] = [];
    const unreadable: number[] = [];
    const quoted: { index: number; text: string }[] = [];
    const lines = text.split('\n');
    // Blocks hold whole lines, so text after the last newline occurs only at the end of the file.
    if (lines.at(-1) === '') lines.pop();
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
          unreadable.push(this.line);
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
    if (quoted.length === 0) return { records, lines: lineNumbers, unreadable };
    return this.parseQuoted({ records, lines: lineNumbers, unreadable }, quoted);
  }

  /** Fills in the records of lines with quotes. */
  private parseQuoted(batch: CsvRecords, quoted: { index: number; text: string }[]): CsvRecords {
    const { records, lines, unreadable } = batch;
    const parsed = parseAll(
      quoted.map(({ text }) => text),
      this.delimiter,
    );
    const nested: { index: number; text: string }[] = [];
    let isComplete = true;
    for (const [position, { index }] of quoted.entries()) {
      const record = parsed[position] ?? null;
      if (record === null) {
        unreadable.push(lines[index]!);
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
        else unreadable.push(lines[index]!);
        isComplete &&= Boolean(inner[position]);
      }
    }
    if (isComplete) return batch;
    const readable = [...records.keys()].filter((index) => records[index]!.length > 0);
    return {
      records: readable.map((index) => records[index]!),
      lines: readable.map((index) => lines[index]!),
      unreadable,
    };
  }
}

const UNREADABLE: RowViolation = {
  field: '',
  reason: 'unreadable',
  detail: 'The line is not valid CSV: a quote is missing or misplaced.',
};

const columnCountViolation = (expected: number, found: number): RowViolation => ({
  field: '',
  reason: 'columns',
  detail: `The line has ${found} fields, but the header has ${expected}.`,
});

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
