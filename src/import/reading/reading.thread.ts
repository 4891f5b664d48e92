import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { ImportRefused } from '../formats/batch.js';
import { priceReaders } from '../formats/price-readers.js';
import { InputTooLarge, unpack } from '../input.js';
import { buffersOf, PricePacker } from './packed-prices.js';
import type { FromReader, ReadingTask, ToReader } from './read-in-thread.js';

/*
 * The thread that reads prices: it is sent an input piece by piece, asks for another whenever it has used one up, and sends what
 * it has read of it.
 */

const port = parentPort!;
const tell = (message: FromReader, handedOver: ArrayBuffer[] = []) => port.postMessage(message, handedOver);

async function* pieces(): AsyncGenerator<Uint8Array> {
  for await (const [piece] of on(port, 'message') as AsyncIterable<[ToReader]>) {
    if (piece === null) return;
    yield piece;
    tell({ kind: 'used' });
  }
}

const { format, options, most } = workerData as ReadingTask;
const packer = new PricePacker();
try {
  for await (const batch of priceReaders[format](unpack({ bytes: pieces(), most }), options)) {
    const packed = packer.pack(batch);
    tell({ kind: 'batch', packed }, buffersOf(packed));
  }
  tell({ kind: 'end' });
} catch (error) {
  if (!(error instanceof ImportRefused)) throw error;
  tell({ kind: 'refused', message: error.message, isTooLarge: error instanceof InputTooLarge });
}
port.close();
