import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ImportRejected } from '../../formats/batch.js';
import type { ImportOptions } from '../../formats/price-readers.js';
import { InputTooLarge } from '../../containers/unpack.js';
import { ROWS_PER_TRANSACTION, splitPrices, type OrderedPrices } from './ordered-prices.js';

/** The `workerData` of the thread. */
export interface ReaderTask {
  readonly format: string;
  readonly options: ImportOptions;
  /** Maximum length of the input after decompression. */
  readonly maxBytes: number;
  /** Minimum prices of the first response; later ones have more. */
  readonly minPrices: number;
}

/** A chunk of the input, null for its end, or a request for prices. */
export type ReaderRequest = Uint8Array<ArrayBuffer> | null | 'more';

/** A message of the thread. */
export type ReaderMessage =
  | { readonly kind: 'prices'; readonly prices: OrderedPrices }
  /** A chunk has been read. */
  | { readonly kind: 'ack' }
  | { readonly kind: 'end' }
  | { readonly kind: 'rejected'; readonly message: string; readonly isTooLarge: boolean };

/** Chunks sent to the thread and not yet read: enough to keep it busy. */
const MAX_UNREAD_CHUNKS = 16;
/** The next prices are requested when this many batches are left, to be sorted in time. */
const PREFETCH_BATCHES = 2;

/**
 * Reads and sorts prices in a worker thread, so that reading overlaps with storing, and a service
 * that imports keeps responding.
 * @throws ImportRejected as the reader of the format, and what the input throws
 */
export async function* readInThread(
  bytes: AsyncIterable<Uint8Array>,
  task: ReaderTask,
): AsyncGenerator<OrderedPrices> {
  const thread = new Worker(new URL('./reading.thread.js', import.meta.url), { workerData: task });
  // Without a listener an error after the last read would end the process.
  thread.on('error', () => undefined);
  const feeder = new ChunkFeeder(bytes, thread);
  const failure = new AbortController();
  feeder.run().catch((error: unknown) => failure.abort(error));
  thread.on('message', ({ kind }: ReaderMessage) => kind === 'ack' && feeder.acknowledge());
  try {
    thread.postMessage('more' satisfies ReaderRequest);
    const messages = on(thread, 'message', { close: ['exit'], signal: failure.signal });
    for await (const [message] of messages as AsyncIterable<[ReaderMessage]>) {
      if (message.kind === 'prices') {
        const batches = splitPrices(message.prices, ROWS_PER_TRANSACTION);
        for (const [index, batch] of batches.entries()) {
          if (index === Math.max(0, batches.length - PREFETCH_BATCHES))
            thread.postMessage('more' satisfies ReaderRequest);
          yield batch;
        }
      } else if (message.kind === 'rejected') {
        throw new (message.isTooLarge ? InputTooLarge : ImportRejected)(message.message);
      } else if (message.kind === 'end') return;
    }
    throw new Error('The thread that reads prices exited before the end of the input.');
  } catch (error) {
    throw failure.signal.aborted ? failure.signal.reason : error;
  } finally {
    await thread.terminate();
  }
}

/** Sends an input to the thread, as fast as the thread reads it. */
class ChunkFeeder {
  private unreadChunks = 0;
  private resume: () => void = () => undefined;

  constructor(
    private readonly bytes: AsyncIterable<Uint8Array>,
    private readonly thread: Worker,
  ) {}

  async run(): Promise<void> {
    for await (const chunk of this.bytes) {
      while (this.unreadChunks >= MAX_UNREAD_CHUNKS)
        await new Promise<void>((resolve) => (this.resume = resolve));
      this.unreadChunks++;
      // A copy: transferring detaches the whole underlying buffer.
      const copy = new Uint8Array(chunk);
      this.send(copy, [copy.buffer]);
    }
    this.send(null);
  }

  acknowledge(): void {
    this.unreadChunks--;
    this.resume();
  }

  private send(message: ReaderRequest, transferList: ArrayBuffer[] = []): void {
    this.thread.postMessage(message, transferList);
  }
}
