import { WrongFormat } from '../formats/batch.js';
import type { TableRecords } from '../tables/table-file.js';
import { comparableText } from './mapped-fields.js';

/**
 * Reads the header of a source.
 * @param headerRows numbers of its rows
 * @returns the header, and the rows below it
 * @throws ImportRejected for a source that ends before
 */
export async function readSourceHeader(
  batches: AsyncGenerator<TableRecords>,
  headerRows: readonly number[],
  join: string,
): Promise<{ header: string[]; rows: AsyncGenerator<TableRecords> }> {
  const last = headerRows.at(-1) ?? 0;
  const found = new Map<number, string[]>();
  // Records of text have line numbers, and a cell with line breaks takes several lines; a mapping
  // counts rows.
  let extraLines = 0;
  let rest: TableRecords | null = null;
  while (last > 0 && rest === null) {
    const next = await batches.next();
    if (next.done) break;
    const { records, lines, rejects, isCut, types } = next.value;
    for (const [index, record] of records.entries()) {
      const row = lines[index]! - extraLines;
      if (row > last) {
        rest = { records: records.slice(index), lines: lines.slice(index), rejects, isCut };
        if (types !== undefined) rest = { ...rest, types: types.slice(index) };
        break;
      }
      if (types === undefined) extraLines += record.join('').split('\n').length - 1;
      if (headerRows.includes(row)) found.set(row, record.map(comparableText));
    }
    if (rest === null && found.has(last)) rest = { records: [], lines: [], rejects, isCut };
  }
  if (last > 0 && !found.has(last))
    throw new WrongFormat(
      `The input has no row ${last}, in which the mapping has ${headerRows.length > 1 ? 'the end of ' : ''}its header.`,
    );
  const width = Math.max(0, ...[...found.values()].map(({ length }) => length));
  const rows = headerRows.map((row, index) => {
    const cells = found.get(row) ?? [];
    return index < headerRows.length - 1 ? filledRight(cells, width) : cells;
  });
  const header = Array.from({ length: width }, (_, column) => {
    const parts = rows.map((row) => row[column] ?? '').filter((part) => part !== '');
    return parts.filter((part, index) => part !== parts[index - 1]).join(join);
  });
  return { header: header.map(comparableText), rows: followedBy(rest, batches) };
}

/** Cells with the text to the left of each blank one in its place, as merged cells need it. */
function filledRight(cells: readonly string[], width: number): string[] {
  const filled: string[] = [];
  for (let column = 0; column < width; column++) filled.push(cells[column] || filled.at(-1) || '');
  return filled;
}

async function* followedBy(
  first: TableRecords | null,
  batches: AsyncGenerator<TableRecords>,
): AsyncGenerator<TableRecords> {
  if (first !== null && first.records.length + first.rejects.length > 0) yield first;
  yield* batches;
}
