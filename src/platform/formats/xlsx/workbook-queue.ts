import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { TimeSlice } from '../../../lib/scheduling/time-slice.js';
import { TurnQueue } from '../../../lib/scheduling/turn-queue.js';
import { Unavailable } from '../../errors/api-error.js';
import type { CellValue, Column } from '../listing.js';
import type { Note } from './workbook-notes.js';

/** What a workbook is made of. */
export interface WorkbookContent {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly CellValue[])[];
  readonly notes: readonly Note[];
}

/** Messages to the thread: some rows, or the end of them. */
export type WorkbookMessage = readonly (readonly CellValue[])[] | null;

/** The `workerData` of the thread. */
export type WorkbookTask = Omit<WorkbookContent, 'rows'>;

/** Workbooks that are collected, wait or are made. More would end after the deadline of reads. */
const MAX_WORKBOOKS = 5;
/** Seconds after which another may be asked for. */
const RETRY_AFTER = 5;
/** Rows of a message: copying them must not keep the event loop. */
const ROWS_PER_MESSAGE = 500;

/** Makes workbooks one at a time, because each takes a processor for seconds and much memory. */
class WorkbookQueue {
  private readonly turns = new TurnQueue(1);
  private begun = 0;

  /**
   * Takes a place in the queue, before the rows are collected.
   * @throws Unavailable where none is left
   */
  begin(): { make: (content: WorkbookContent, signal: AbortSignal) => Promise<Buffer>; end: () => void } {
    if (this.begun >= MAX_WORKBOOKS)
      throw new Unavailable('The service is busy with other workbooks. Try again.', RETRY_AFTER);
    this.begun++;
    return { make: (content, signal) => this.make(content, signal), end: () => void this.begun-- };
  }

  private async make(content: WorkbookContent, signal: AbortSignal): Promise<Buffer> {
    await this.turns.acquire(signal);
    try {
      return await makeInThread(content, signal);
    } finally {
      this.turns.release();
    }
  }
}

/** The workbooks of this process. */
export const workbooks = new WorkbookQueue();

async function makeInThread({ rows, ...task }: WorkbookContent, signal: AbortSignal): Promise<Buffer> {
  const thread = new Worker(new URL('./workbook.thread.js', import.meta.url), {
    workerData: task satisfies WorkbookTask,
  });
  try {
    // Listened to before the first message: it rejects if the thread fails.
    const made = once(thread, 'message', { signal }) as Promise<[Uint8Array]>;
    made.catch(() => undefined);
    const timeSlice = new TimeSlice();
    for (let from = 0; from < rows.length; from += ROWS_PER_MESSAGE) {
      thread.postMessage(rows.slice(from, from + ROWS_PER_MESSAGE) satisfies WorkbookMessage);
      await timeSlice.yield();
    }
    thread.postMessage(null satisfies WorkbookMessage);
    const [bytes] = await made;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } finally {
    await thread.terminate();
  }
}
