import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ImportRefused } from '../formats/batch.js';
import type { ImportOptions, PriceFormat } from '../formats/price-readers.js';
import type { PriceBatch } from '../formats/series.js';
import { InputTooLarge } from '../input.js';
import { type PackedPrices, PriceUnpacker } from './packed-prices.js';

/** What the thread is started with. */
export interface ReadingTask {
  readonly format: PriceFormat;
  readonly options: ImportOptions;
  /** Bytes that the input may have once it is unpacked. */
  readonly most: number;
}

/** A piece of the input; null for its end. */
export type ToReader = Uint8Array<ArrayBuffer> | null;

export type FromReader =
  | { readonly kind: 'batch'; readonly packed: PackedPrices }
  /** A piece is read. */
  | { readonly kind: 'used' }
  | { readonly kind: 'end' }
  | { readonly kind: 'refused'; readonly message: string; readonly isTooLarge: boolean };

/** Pieces of the input that wait for the thread: enough to keep it at work. */
const UNREAD = 16;
/**
 * Prices that are read and not taken yet: as many as are put in order at once, so that the thread stays at work while these are
 * stored. Packed they take 10 MB. This bounds what waits for a slow database.
 */
const UNTAKEN = 400_000;

/**
 * Reads prices in a thread of their own, so that the next part of a file is read while one is stored, and a service that imports
 * goes on answering.
 * @throws ImportRefused as the reader of the format does; what the input itself throws
 */
export async function* readInThread(
  bytes: AsyncIterable<Uint8Array>,
  task: ReadingTask,
): AsyncGenerator<PriceBatch> {
  const thread = new Worker(new URL('./reading.thread.js', import.meta.url), { workerData: task });
  // Nobody hears of a failure of the thread once nobody takes its prices; without a listener it would end the process.
  thread.on('error', () => undefined);
  const unpacker = new PriceUnpacker();
  const feeder = new Feeder(bytes, thread);
  const failure = new AbortController();
  feeder.run().catch((error: unknown) => failure.abort(error));
  thread.on('message', (message: FromReader) => {
    if (message.kind === 'used') feeder.wasRead();
    else if (message.kind === 'batch') feeder.pricesCame(message.packed.line.length);
  });
  try {
    const messages = on(thread, 'message', { close: ['exit'], signal: failure.signal });
    for await (const [message] of messages as AsyncIterable<[FromReader]>) {
      if (message.kind === 'batch') {
        feeder.pricesWereTaken(message.packed.line.length);
        yield unpacker.unpack(message.packed);
      } else if (message.kind === 'refused') {
        throw new (message.isTooLarge ? InputTooLarge : ImportRefused)(message.message);
      } else if (message.kind === 'end') return;
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
    private readonly bytes: AsyncIterable<Uint8Array>,
    private readonly thread: Worker,
  ) {}

  async run(): Promise<void> {
    for await (const chunk of this.bytes) {
      while (this.unread >= UNREAD || this.untaken >= UNTAKEN) {
        await new Promise<void>((resolve) => (this.goOn = resolve));
      }
      this.unread++;
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

  pricesCame(count: number): void {
    this.untaken += count;
  }

  pricesWereTaken(count: number): void {
    this.untaken -= count;
    this.goOn();
  }

  private send(message: ToReader, handedOver: ArrayBuffer[] = []): void {
    this.thread.postMessage(message, handedOver);
  }
}
