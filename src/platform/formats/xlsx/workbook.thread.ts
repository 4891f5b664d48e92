import { parentPort, workerData } from 'node:worker_threads';
import writeExcelFile, { type Cell, type Row } from 'write-excel-file/node';
import type { CellValue, ColumnType } from '../listing.js';
import type { WorkbookMessage, WorkbookTask } from './workbook-queue.js';

/*
 * The thread that makes a workbook: it gets the rows in messages and returns the file. Texts are
 * cells of text, never formulas, whatever they begin with.
 */

/** Characters that a cell may have; longer texts are cut. */
const MAX_TEXT = 32_767;
const DATE_FORMAT = 'yyyy-mm-dd';
/** Spreadsheets count days from 1900. */
const FIRST_DATE = '1900-03-01';

const { columns, notes } = workerData as WorkbookTask;
const port = parentPort!;
const heading = (text: string): Cell => ({ value: text, type: String, fontWeight: 'bold' });
const data: Row[] = [columns.map(({ name }) => heading(name))];

// Entries of the archive have the time at which they are made: the same rows would make other
// bytes. The parts of the date are of the local time.
Date.now = () => new Date(1980, 0, 1).getTime();

port.on('message', (rows: WorkbookMessage) => {
  if (rows === null) void finish();
  else for (const row of rows) data.push(row.map((value, index) => cell(value, columns[index]!.type)));
});

function cell(value: CellValue, type: ColumnType): Cell {
  if (value === null || value === '') return null;
  if (type === 'date' && String(value) >= FIRST_DATE)
    return { value: new Date(`${value}T00:00:00Z`), type: Date, format: DATE_FORMAT };
  if (typeof value === 'number') return { value, type: Number };
  if (typeof value === 'boolean') return { value, type: Boolean };
  return { value: value.slice(0, MAX_TEXT), type: String };
}

async function finish(): Promise<void> {
  const file = writeExcelFile([
    { data, sheet: 'Data', stickyRowsCount: 1 },
    {
      data: notes.map(([label, ...values]) => [
        heading(label),
        ...values.map((value) => cell(value, 'string')),
      ]),
      sheet: 'Notes',
      columns: [{ width: 30 }, { width: 80 }, { width: 50 }, { width: 50 }],
    },
  ]);
  const bytes = Uint8Array.from(await file.toBuffer());
  port.postMessage(bytes, [bytes.buffer]);
  port.close();
}
