import { TimeSlice } from '../../../lib/scheduling/time-slice.js';
import { ValidationError } from '../../errors/api-error.js';
import type { ListFormat } from '../list-format.js';
import type { CellValue, Table } from '../listing.js';
import { workbooks } from './workbook-queue.js';
import { NotedValues, notesOf } from './workbook-notes.js';

/** Cells of a workbook, the header included: as many as spreadsheets open quickly. */
const MAX_CELLS = 500_000;

/** A workbook (Office Open XML) for spreadsheets: the rows, and a sheet of notes. */
export const xlsx: ListFormat = {
  name: 'xlsx',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  acceptedTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  paged: false,
  encodes: 'table',
  async *encode(listing, _, request) {
    const table = listing.table();
    const workbook = workbooks.begin();
    try {
      const noted = new NotedValues(table);
      const rows = await collectRows(table, noted);
      yield await workbook.make(
        { columns: table.columns, rows, notes: notesOf(request, noted) },
        request.signal,
      );
    } finally {
      workbook.end();
    }
  },
};

/** @throws ValidationError for more cells than a workbook may have */
async function collectRows(table: Table, noted: NotedValues): Promise<CellValue[][]> {
  const { columns } = table;
  const rows: CellValue[][] = [];
  const most = Math.floor(MAX_CELLS / columns.length) - 1;
  const timeSlice = new TimeSlice();
  for await (const batch of table.batches()) {
    if (rows.length + batch.length > most) throw tooManyCells(columns.length, most);
    for (const row of batch) {
      rows.push([...row]);
      noted.add(row);
    }
    await timeSlice.yield();
  }
  return rows;
}

const tooManyCells = (columns: number, rows: number) =>
  new ValidationError([
    {
      in: 'query',
      name: 'format',
      code: 'too_many_items',
      detail:
        `A workbook has at most ${MAX_CELLS} cells, of this list ${rows} rows with ${columns} columns.` +
        ' Ask for fewer rows, or take format=csv or format=parquet.',
      max: rows,
    },
  ]);
