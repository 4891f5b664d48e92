import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { ImportRefused } from '../formats/batch.js';
import { priceReaders } from '../formats/price-readers.js';
import { buffersOf, PricePacker } from './packed-prices.js';
import type { FromReader, ReadingTask, ToReader } from './read-in-thread.js';

/*
 * The thread that reads prices: it is sent an input piece by piece, asks for another whenever it has used one up, and sends what
 * it has read of it.
 */

const port = parentPort!;
const tell = (message: FromReader, handedOver: ArrayBuffer[] = []) => port.postMessage(message, handedOver);

async function* chunks(): AsyncGenerator<Uint8Array> {
  for await (const [chunk] of on(port, 'message') as AsyncIterable<[ToReader]>) {
    if (chunk === null) return;
    yield chunk;
    tell({ kind: 'used' });
  }
}

const { format, options } = workerData as ReadingTask;
const packer = new PricePacker();
try {
  for await (const batch of priceReaders[format](chunks(), options)) {
    const packed = packer.pack(batch);
    tell({ kind: 'batch', packed }, buffersOf(packed));
  }
  tell({ kind: 'end' });
} catch (error) {
  if (!(error instanceof ImportRefused)) throw error;
  tell({ kind: 'refused', message: error.message });
}
port.close();
