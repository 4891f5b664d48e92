import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ImportRejected } from '../formats/batch.js';
import type { ImportOptions, PriceFormat } from '../formats/price-readers.js';
import { InputTooLarge } from '../input.js';
import { cut, ROWS_PER_TRANSACTION, type OrderedPrices } from './ordered-prices.js';

/** What the thread is started with. */
export interface ReadingTask {
  readonly format: PriceFormat;
  readonly options: ImportOptions;
  /** Bytes that the input may have once it is unpacked. */
  readonly most: number;
  /** Prices that are put in order at least at first; later there are more. */
  readonly least: number;
}

/** A piece of the input, or null for its end; `more` asks for prices. */
export type ToReader = Uint8Array<ArrayBuffer> | null | 'more';

export type FromReader =
  | { readonly kind: 'prices'; readonly prices: OrderedPrices }
  /** A piece is read. */
  | { readonly kind: 'used' }
  | { readonly kind: 'end' }
  | { readonly kind: 'refused'; readonly message: string; readonly isTooLarge: boolean };

/** Pieces of the input that wait for the thread: enough to keep it at work. */
const UNREAD = 16;
/** The next prices are asked for when so many parts are left of those before, so that they are put in order by then. */
const LAST_PARTS = 2;

/**
 * Reads prices in a thread of their own and puts them in order there, so that the next part of a file is read while one is stored,
 * and a service that imports goes on answering.
 * @throws ImportRefused as the reader of the format does; what the input itself throws
 */
export async function* readInThread(
  bytes: AsyncIterable<Uint8Array>,
  task: ReadingTask,
): AsyncGenerator<OrderedPrices> {
  const thread = new Worker(new URL('./reading.thread.js', import.meta.url), { workerData: task });
  // Nobody hears of a failure of the thread once nobody takes its prices; without a listener it would end the process.
  thread.on('error', () => undefined);
  const feeder = new Feeder(bytes, thread);
  const failure = new AbortController();
  feeder.run().catch((error: unknown) => failure.abort(error));
  thread.on('message', ({ kind }: FromReader) => kind === 'used' && feeder.wasRead());
  try {
    thread.postMessage('more' satisfies ToReader);
    const messages = on(thread, 'message', { close: ['exit'], signal: failure.signal });
    for await (const [message] of messages as AsyncIterable<[FromReader]>) {
      if (message.kind === 'prices') {
        const parts = cut(message.prices, ROWS_PER_TRANSACTION);
        for (const [at, part] of parts.entries()) {
          if (at === Math.max(0, parts.length - LAST_PARTS)) thread.postMessage('more' satisfies ToReader);
          yield part;
        }
      } else if (message.kind === 'refused') {
        throw new (message.isTooLarge ? InputTooLarge : ImportRejected)(message.message);
      } else if (message.kind === 'end') return;
    }
    throw new Error('The thread that reads prices has ended before its input.');
  } catch (error) {
    throw failure.signal.aborted ? failure.signal.reason : error;
  } finally {
    await thread.terminate();
  }
}

/** Sends an input to the thread, as fast as that reads it. */
class Feeder {
  private unread = 0;
  private goOn: () => void = () => undefined;

  constructor(
    private readonly bytes: AsyncIterable<Uint8Array>,
    private readonly thread: Worker,
  ) {}

  async run(): Promise<void> {
    for await (const chunk of this.bytes) {
      while (this.unread >= UNREAD) await new Promise<void>((resolve) => (this.goOn = resolve));
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

  private send(message: ToReader, handedOver: ArrayBuffer[] = []): void {
    this.thread.postMessage(message, handedOver);
  }
}
