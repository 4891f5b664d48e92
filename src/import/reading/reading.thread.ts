import { EventEmitter, on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { ImportRejected } from '../formats/batch.js';
import { priceReaders } from '../formats/price-readers.js';
import { InputTooLarge, unpack } from '../input.js';
import { buffersOf } from './ordered-prices.js';
import { PriceIntake } from './price-intake.js';
import type { FromReader, ReadingTask, ToReader } from './read-in-thread.js';

/*
 * The thread that reads prices: it is sent an input piece by piece, and asks for another whenever it has used one up. Asked for
 * prices, it gives those that it has read by then, if they are many enough. So as many are put in order as are read while those
 * before are stored, and neither side waits for the other.
 */

/**
 * Once there were some to begin with, prices wait until there are so many for each series that they touch, or so many in all. The
 * fewer of a series are stored at once, the more each takes; a file that goes series by series has enough of them soon.
 */
const ENOUGH_A_SERIES = 30;
const ENOUGH = 200_000;

const port = parentPort!;
const { format, options, most, least } = workerData as ReadingTask;
const input = new EventEmitter();
const sent = on(input, 'piece') as AsyncIterable<[Exclude<ToReader, 'more'>]>;
const intake = new PriceIntake();
let asked = false;
let isFirst = true;
let goOn: () => void = () => undefined;

const tell = (message: FromReader, handedOver: ArrayBuffer[] = []) => port.postMessage(message, handedOver);

function give(): void {
  asked = false;
  isFirst = false;
  const prices = intake.take();
  tell({ kind: 'prices', prices }, buffersOf(prices));
  goOn();
}

function isEnough(): boolean {
  const { waits, waitingSeries, isFull } = intake;
  if (isFull) return true;
  return waits >= least && (isFirst || waits >= ENOUGH || waits >= ENOUGH_A_SERIES * waitingSeries);
}

function giveIfAsked(): void {
  if (asked && isEnough()) give();
}

port.on('message', (message: ToReader) => {
  if (message !== 'more') return input.emit('piece', message);
  asked = true;
  giveIfAsked();
});

async function* pieces(): AsyncGenerator<Uint8Array> {
  for await (const [piece] of sent) {
    if (piece === null) return;
    yield piece;
    tell({ kind: 'used' });
  }
}

try {
  for await (const batch of priceReaders[format](unpack({ bytes: pieces(), most }), options)) {
    intake.accept(batch);
    giveIfAsked();
    while (intake.isFull) await new Promise<void>((resolve) => (goOn = resolve));
  }
  give();
  tell({ kind: 'end' });
} catch (error) {
  if (!(error instanceof ImportRejected)) throw error;
  tell({ kind: 'refused', message: error.message, isTooLarge: error instanceof InputTooLarge });
}
port.close();
