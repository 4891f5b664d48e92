import { TimeSlice } from '../../../lib/scheduling/time-slice.js';
import { ValidationError } from '../../errors/api-error.js';
import type { FormatRequest, ListFormat } from '../list-format.js';
import type { Table } from '../listing.js';
import { type Workbook, workbooks } from './workbook-queue.js';
import { NotedValues, notesOf } from './workbook-notes.js';

/** Cells of a workbook, the header included: as many as spreadsheets open quickly. */
const MAX_CELLS = 500_000;
/** Rows that a workbook of so many columns may have. */
export const maxRows = (columns: number): number => Math.floor(MAX_CELLS / columns) - 1;

/** Rows of a message to the thread. */
const ROWS_PER_MESSAGE = 500;

/** A workbook (Office Open XML) for spreadsheets: the rows, and a sheet of notes. */
export const xlsx: ListFormat = {
  name: 'xlsx',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  acceptedTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  paged: false,
  encodes: 'table',
  rowLimit: { most: maxRows, exceeded: tooManyCells },
  async *encode(listing, _, request) {
    const { signal } = request;
    const table = listing.table();
    const workbook = workbooks.begin(request.client);
    try {
      await request.idleDuring(workbook.start(table.columns, signal));
      const noted = new NotedValues(table);
      await sendRows(table, noted, workbook, request);
      yield await request.pausedDuring(workbook.finish(notesOf(request, noted)));
    } finally {
      await workbook.end();
    }
  },
};

/** @throws ValidationError for more cells than a workbook may have */
async function sendRows(
  table: Table,
  noted: NotedValues,
  workbook: Workbook,
  request: FormatRequest,
): Promise<void> {
  const { signal } = request;
  const { columns } = table;
  const most = maxRows(columns.length);
  const timeSlice = new TimeSlice();
  let sent = 0;
  for await (const batch of table.batches()) {
    sent += batch.length;
    if (sent > most) throw tooManyCells(columns.length);
    // Copying rows must not keep the event loop.
    for (let from = 0; from < batch.length; from += ROWS_PER_MESSAGE) {
      signal.throwIfAborted();
      const rows = batch.slice(from, from + ROWS_PER_MESSAGE);
      for (const row of rows) noted.add(row);
      const taken = workbook.add(rows);
      if (taken !== null) await request.pausedDuring(taken);
      await timeSlice.yield();
    }
  }
}

function tooManyCells(columns: number): ValidationError {
  const rows = maxRows(columns);
  return new ValidationError([
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
}
