import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ImportRefused } from '../formats/batch.js';
import type { ImportOptions, PriceFormat } from '../formats/price-readers.js';
import type { PriceBatch } from '../formats/series.js';
import { type PackedPrices, PriceUnpacker } from './packed-prices.js';

/** What the thread is started with. */
export interface ReadingTask {
  readonly format: PriceFormat;
  readonly options: ImportOptions;
}

/** A piece of the input; null for its end. */
export type ToReader = Uint8Array<ArrayBuffer> | null;

export type FromReader =
  | { readonly kind: 'batch'; readonly packed: PackedPrices }
  /** A piece is read, and all batches of it are sent. */
  | { readonly kind: 'used' }
  | { readonly kind: 'end' }
  | { readonly kind: 'refused'; readonly message: string };

/** Pieces that wait for the thread: 2 MB, enough to keep it at work. */
const UNREAD = 32;
/**
 * Pieces that are sent and whose prices are not taken yet: 50 MB of input, a quarter of that as packed prices. That is about as much
 * as is put in order at once, so that the thread stays at work while it is stored. It bounds what waits for a slow database.
 */
const UNTAKEN = 800;

/**
 * Reads prices in a thread of their own, so that the next part of a file is read while one is stored, and a service that imports
 * goes on answering.
 * @throws ImportRefused as the reader of the format does; what the input itself throws
 */
export async function* readInThread(
  chunks: AsyncIterable<Uint8Array>,
  task: ReadingTask,
): AsyncGenerator<PriceBatch> {
  const thread = new Worker(new URL('./reading.thread.js', import.meta.url), { workerData: task });
  const unpacker = new PriceUnpacker();
  const feeder = new Feeder(chunks, thread);
  const failure = new AbortController();
  feeder.run().catch((error: unknown) => failure.abort(error));
  thread.on('message', ({ kind }: FromReader) => {
    if (kind === 'used') feeder.wasRead();
  });
  try {
    const messages = on(thread, 'message', { close: ['exit'], signal: failure.signal });
    for await (const [message] of messages as AsyncIterable<[FromReader]>) {
      if (message.kind === 'batch') yield unpacker.unpack(message.packed);
      else if (message.kind === 'used') feeder.wasTaken();
      else if (message.kind === 'refused') throw new ImportRefused(message.message);
      else return;
    }
    throw new Error('The thread that reads prices has ended before its input.');
  } catch (error) {
    throw failure.signal.aborted ? failure.signal.reason : error;
  } finally {
    await thread.terminate();
  }
}

/** Sends an input to the thread, as fast as that reads it and its prices are taken. */
class Feeder {
  private unread = 0;
  private untaken = 0;
  private goOn: () => void = () => undefined;

  constructor(
    private readonly chunks: AsyncIterable<Uint8Array>,
    private readonly thread: Worker,
  ) {}

  async run(): Promise<void> {
    for await (const chunk of this.chunks) {
      while (this.unread >= UNREAD || this.untaken >= UNTAKEN) {
        await new Promise<void>((resolve) => (this.goOn = resolve));
      }
      this.unread++;
      this.untaken++;
      // A copy: of a part of a buffer all of it would be sent, and what is handed over is gone here.
      const piece = new Uint8Array(chunk);
      this.send(piece, [piece.buffer]);
    }
    this.send(null);
  }

  wasRead(): void {
    this.unread--;
    this.goOn();
  }

  wasTaken(): void {
    this.untaken--;
    this.goOn();
  }

  private send(message: ToReader, handedOver: ArrayBuffer[] = []): void {
    this.thread.postMessage(message, handedOver);
  }
}
