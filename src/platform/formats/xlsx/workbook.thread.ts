import { parentPort, workerData } from 'node:worker_threads';
import { WorkbookFile, WorkbookTooLarge } from './workbook-file.js';
import type { WorkbookMessage, WorkbookResult, WorkbookTask } from './workbook-queue.js';

/* The thread that makes a workbook: it gets the rows in messages and returns the file. */

const { columns, maxBytes } = workerData as WorkbookTask;
const port = parentPort!;
const begun = WorkbookFile.begin(columns, maxBytes);
// Messages are worked on one after the other, also while the file is begun.
let last = Promise.resolve();
port.on('message', (message: WorkbookMessage) => {
  // What is thrown here ends the thread, with the error.
  last = last.then(() => receive(message)).catch(fail);
});

async function receive(message: WorkbookMessage): Promise<void> {
  const file = await begun;
  if ('rows' in message) {
    file.add(message.rows);
    return send({ kind: 'taken' });
  }
  const bytes = await file.finish(message.notes);
  send({ kind: 'file', bytes }, [bytes.buffer as ArrayBuffer]);
  port.close();
}

function fail(error: unknown): void {
  if (!(error instanceof WorkbookTooLarge)) throw error;
  send({ kind: 'tooLarge' });
  port.close();
}

function send(result: WorkbookResult, transferred: ArrayBuffer[] = []): void {
  port.postMessage(result, transferred);
}
