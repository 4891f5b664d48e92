import { openRows, type RowSource } from '../../tables/open-rows.js';
import { ImportRejected } from '../../formats/batch.js';
import type { KnownNames, Proposal } from './proposal.js';
import { type ProposableTable, proposeMapping } from './propose.js';
import { NoProposal } from './draft.js';
import { findDelimiter } from './table/delimiter.js';
import { RowSampler, type SampleRow } from './table/sample.js';

/** What a table has, and how it is written, as far as people say it. */
export interface WritingOptions {
  readonly table?: ProposableTable | undefined;
  readonly delimiter?: string | undefined;
  /** Numbers of the rows of the header; none for a table without one. */
  readonly headerRows?: readonly number[] | undefined;
  readonly sheetName?: string | undefined;
  readonly encoding?: string | undefined;
  /** The number of the column of the price, where others become no rows. */
  readonly priceColumn?: number | undefined;
}

/** A proposal for the table of a file, with what a page shows beside it. */
export interface ProposedTable {
  readonly proposal: Proposal;
  /** What was said of it. */
  readonly said: WritingOptions;
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

/**
 * Proposes a mapping for the table in a file.
 * @param chunks its text, in UTF-8
 * @throws ImportRejected where none can be proposed
 */
export async function proposeForTable(
  chunks: AsyncIterable<Uint8Array>,
  fileName: string,
  known: KnownNames,
  said: WritingOptions,
): Promise<ProposedTable> {
  const { sheetName } = said;
  const { source, sheet, sheets } = await openRows(chunks, {
    delimiter: said.delimiter ?? findDelimiter,
    sheet: sheetName,
  });
  const sampler = new RowSampler();
  let isDecoded = true;
  for await (const row of rowsOf(source)) {
    isDecoded &&= !row.cells.some((cell) => cell.includes('\ufffd'));
    sampler.add(row);
  }
  const { rows } = sampler;
  try {
    const { delimiter } = source;
    const isWorkbook = sheets.length > 0;
    const sample = {
      ...{ fileName, delimiter, isDecoded, rows },
      ...{ sheetName: isWorkbook ? sheet : null, sheetNames: sheets },
    };
    const proposal = proposeMapping(sample, known, said);
    return { proposal, said, delimiter, sheetNames: sheets, rows: shownRows(rows) };
  } catch (error) {
    if (error instanceof NoProposal)
      throw new ImportRejected([error.message, ...(source.notes ?? [])].join(' '));
    throw error;
  }
}

async function* rowsOf(source: RowSource): AsyncGenerator<SampleRow> {
  // The names in JSON are no record: what has them is a row before the first.
  const offset = source.header.length > 0 ? 1 : 0;
  if (offset > 0) yield { number: 1, line: 0, cells: [...source.header] };
  // Cells with line breaks make a row of several lines, where rows are counted by these.
  let moreLines = 0;
  for await (const { records, lines, types } of source.batches())
    for (const [index, cells] of records.entries()) {
      const line = lines[index]!;
      yield { number: line + offset - moreLines, line, cells };
      if (types === undefined) moreLines += cells.join('').split('\n').length - 1;
    }
}

/** Rows by the numbers of their lines, as reports have them. */
const shownRows = (rows: readonly SampleRow[]): SampleRow[] =>
  rows.slice(0, MAX_ROWS).map(({ number, line = number, cells }) => ({
    number: line,
    cells: cells.slice(0, MAX_CELLS).map((cell) => cell.slice(0, MAX_CELL)),
  }));
