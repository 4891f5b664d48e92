import { CsvFile } from '../../tables/csv.js';
import { ImportRejected } from '../../formats/batch.js';
import type { KnownNames, Proposal } from './proposal.js';
import { NoProposal, proposeMapping } from './propose.js';
import { findDelimiter } from './delimiter.js';
import { RowSampler, type SampleRow } from './sample.js';

/** How a table is written, as far as people say it. */
export interface WritingOptions {
  readonly delimiter?: string | undefined;
  /** Numbers of the rows of the header; none for a table without one. */
  readonly headerRows?: readonly number[] | undefined;
  readonly sheetName?: string | undefined;
  readonly encoding?: string | undefined;
}

/** A proposal for the table of a file, with what a page shows beside it. */
export interface ProposedTable {
  readonly proposal: Proposal;
  /** Null for workbooks and JSON. */
  readonly delimiter: string | null;
  readonly sheetNames: readonly string[];
  /** The rows that the file begins with. */
  readonly rows: readonly SampleRow[];
}

/** Rows that a page shows. */
const MAX_ROWS = 120;
/** Characters of a cell and cells of a row that it shows. */
const MAX_CELL = 200;
const MAX_CELLS = 60;
/** Bytes by which the delimiter is found. */
const HEAD_BYTES = 256 * 1024;

/**
 * Proposes a mapping for the table in a file.
 * @param chunks its text, in UTF-8
 * @throws ImportRejected where none can be proposed
 */
export async function proposeForTable(
  chunks: AsyncIterable<Uint8Array>,
  fileName: string,
  known: KnownNames,
  { delimiter: said, headerRows, encoding }: WritingOptions,
): Promise<ProposedTable> {
  const head: Uint8Array[] = [];
  let length = 0;
  const iterator = chunks[Symbol.asyncIterator]();
  while (length < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done === true) break;
    head.push(next.value);
    length += next.value.length;
  }
  const text = Buffer.concat(head).toString('utf8');
  const delimiter = said ?? findDelimiter(text);
  const sampler = new RowSampler();
  let isDecoded = true;
  for await (const row of rowsOf(joined(head, iterator), delimiter)) {
    isDecoded &&= !row.cells.some((cell) => cell.includes('\ufffd'));
    sampler.add(row);
  }
  const { rows } = sampler;
  try {
    const sample = { fileName, sheetName: null, sheetNames: [], delimiter, isDecoded, rows };
    const proposal = proposeMapping(sample, known, { headerRows, encoding });
    return { proposal, delimiter, sheetNames: [], rows: shownRows(rows) };
  } catch (error) {
    if (error instanceof NoProposal) throw new ImportRejected(error.message);
    throw error;
  }
}

async function* joined(head: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function* rowsOf(chunks: AsyncIterable<Uint8Array>, delimiter: string): AsyncGenerator<SampleRow> {
  // Cells with line breaks make a row of several lines.
  let moreLines = 0;
  for await (const { records, lines } of CsvFile.openRows(chunks, delimiter).batches())
    for (const [index, cells] of records.entries()) {
      const line = lines[index]!;
      yield { number: line - moreLines, line, cells };
      moreLines += cells.join('').split('\n').length - 1;
    }
}

/** Rows by the numbers of their lines, as reports have them. */
const shownRows = (rows: readonly SampleRow[]): SampleRow[] =>
  rows.slice(0, MAX_ROWS).map(({ number, line = number, cells }) => ({
    number: line,
    cells: cells.slice(0, MAX_CELLS).map((cell) => cell.slice(0, MAX_CELL)),
  }));
