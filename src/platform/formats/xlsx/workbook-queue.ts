import { Worker } from 'node:worker_threads';
import { TurnQueue } from '../../../lib/scheduling/turn-queue.js';
import { Unavailable, ValidationError } from '../../errors/api-error.js';
import type { CellValue, Column } from '../listing.js';
import type { Note } from './workbook-notes.js';

/** Messages to the thread: some rows, and at last the notes. */
export type WorkbookMessage =
  { readonly rows: readonly (readonly CellValue[])[] } | { readonly notes: readonly Note[] };

/** The `workerData` of the thread. */
export interface WorkbookTask {
  readonly columns: readonly Column[];
  readonly maxBytes: number;
}

/** Messages of the thread: rows are compressed, the file is made, or its bytes are too many. */
export type WorkbookResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'tooLarge' };

/** Workbooks that wait or are made. More would end after the deadline of reads. */
const MAX_WORKBOOKS = 10;
/** The same of one client, so that it leaves places to others. */
const MAX_OF_CLIENT = 5;
/** Seconds after which another may be asked for. */
const RETRY_AFTER = 5;
/** Bytes of a file, compressed. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Messages with rows that the thread has not compressed yet: more would wait in memory. */
const MAX_WAITING = 4;
/** Memory of the heap of the thread, which holds the rows of some messages. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 };

/**
 * Makes workbooks one at a time, because each takes a processor for seconds and much memory.
 * Clients have their turns one after the other.
 */
class WorkbookQueue {
  private readonly turns = new TurnQueue(1);
  private readonly begun = new Set<Workbook>();

  /**
   * Takes a place in the queue.
   * @throws Unavailable where none is left
   */
  begin(client: string): Workbook {
    const ofClient = [...this.begun].filter((workbook) => workbook.client === client);
    if (this.begun.size >= MAX_WORKBOOKS || ofClient.length >= MAX_OF_CLIENT)
      throw new Unavailable('The service is busy with other workbooks. Try again.', RETRY_AFTER);
    const workbook = new Workbook(client, this.turns, () => this.begun.delete(workbook));
    this.begun.add(workbook);
    return workbook;
  }
}

/** The workbooks of this process. */
export const workbooks = new WorkbookQueue();

/**
 * A workbook that a thread makes. Its rows go there as they come, and are compressed one after the
 * other: neither thread collects them.
 */
export class Workbook {
  private thread: Worker | null = null;
  private bytes: Promise<Uint8Array> | null = null;
  private waiting = 0;
  private hasFailed = false;
  private onTaken: () => void = () => undefined;

  constructor(
    readonly client: string,
    private readonly turns: TurnQueue,
    private readonly onEnd: () => void,
  ) {}

  /** Waits for its turn, and starts the thread. */
  async start(columns: readonly Column[], signal: AbortSignal): Promise<void> {
    await this.turns.acquire(signal, this.client);
    this.thread = new Worker(new URL('./workbook.thread.js', import.meta.url), {
      workerData: { columns, maxBytes: MAX_BYTES } satisfies WorkbookTask,
      resourceLimits: RESOURCE_LIMITS,
    });
    this.bytes = bytesOf(this.thread, signal);
    this.thread.on('message', ({ kind }: WorkbookResult) => {
      if (kind === 'taken') this.waiting--;
      this.onTaken();
    });
    // It may fail before anything waits for it.
    this.bytes.catch(() => {
      this.hasFailed = true;
      this.onTaken();
    });
  }

  /**
   * Gives rows to the thread.
   * @returns what to wait for before the next ones, an error among it; null where there is nothing
   */
  add(rows: readonly (readonly CellValue[])[]): Promise<unknown> | null {
    if (this.hasFailed) return this.bytes;
    this.send({ rows });
    if (++this.waiting < MAX_WAITING) return null;
    return new Promise<void>((resolve) => (this.onTaken = resolve));
  }

  /**
   * The file, after its last row.
   * @throws ValidationError where its texts are too long
   */
  async finish(notes: readonly Note[]): Promise<Buffer> {
    this.send({ notes });
    const bytes = await this.bytes!;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Ends the thread, whatever it does, and gives its place back. */
  async end(): Promise<void> {
    const { thread } = this;
    this.thread = null;
    try {
      await thread?.terminate();
    } finally {
      if (thread !== null) this.turns.release();
      this.onEnd();
    }
  }

  private send(message: WorkbookMessage): void {
    this.thread!.postMessage(message);
  }
}

/** What the thread sends. Rejects where it ends without. */
function bytesOf(thread: Worker, signal: AbortSignal): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    thread.on('message', (result: WorkbookResult) => {
      if (result.kind === 'file') resolve(result.bytes);
      if (result.kind === 'tooLarge') reject(tooLarge());
    });
    thread.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error),
    );
    thread.once('exit', (code) => reject(new Error(`The thread of a workbook has ended: exit ${code}.`)));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

const tooLarge = () =>
  new ValidationError([
    {
      in: 'query',
      name: 'format',
      code: 'too_many_items',
      detail:
        'The texts of this list are too long for a workbook.' +
        ' Ask for fewer rows, or take format=csv or format=parquet.',
    },
  ]);
