import { EventEmitter, on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { ImportRejected } from '../../formats/batch.js';
import { priceReaderOf } from '../../formats/price-readers.js';
import { textOptionsOf } from '../../mappings/open-mapped.js';
import { InputTooLarge } from '../../containers/unpack.js';
import { inputText } from '../input.js';
import { columnBuffers } from './ordered-prices.js';
import { PriceSorter } from './price-sorter.js';
import type { ReaderMessage, ReaderRequest, ReaderTask } from './read-in-thread.js';

/*
 * The thread that reads prices. It gets an input in chunks and acknowledges each. On request it
 * sends the prices read so far, as soon as there are enough. So it sorts at once as many as it
 * reads while the previous ones are stored, and neither side bufferedPrices for the other.
 */

/**
 * After the first, a response has this many prices per series, or this many in total: the fewer
 * prices of a series are stored at once, the more each costs. A file ordered by series soon has
 * enough.
 */
const MIN_PRICES_PER_SERIES = 30;
const ENOUGH_PRICES = 200_000;

const port = parentPort!;
const { format, options, maxBytes, minPrices } = workerData as ReaderTask;
const input = new EventEmitter();
const sent = on(input, 'chunk') as AsyncIterable<[Exclude<ReaderRequest, 'more'>]>;
const sorter = new PriceSorter();
let isRequested = false;
let isFirst = true;
let resume: () => void = () => undefined;

const post = (message: ReaderMessage, transferList: ArrayBuffer[] = []) =>
  port.postMessage(message, transferList);

function sendPrices(): void {
  isRequested = false;
  isFirst = false;
  const prices = sorter.drain();
  post({ kind: 'prices', prices }, columnBuffers(prices));
  resume();
}

function hasEnough(): boolean {
  const { bufferedPrices, bufferedSeries, isFull } = sorter;
  if (isFull) return true;
  return (
    bufferedPrices >= minPrices &&
    (isFirst || bufferedPrices >= ENOUGH_PRICES || bufferedPrices >= MIN_PRICES_PER_SERIES * bufferedSeries)
  );
}

function sendIfRequested(): void {
  if (isRequested && hasEnough()) sendPrices();
}

port.on('message', (message: ReaderRequest) => {
  if (message !== 'more') return input.emit('chunk', message);
  isRequested = true;
  sendIfRequested();
});

async function* chunks(): AsyncGenerator<Uint8Array> {
  for await (const [chunk] of sent) {
    if (chunk === null) return;
    yield chunk;
    post({ kind: 'ack' });
  }
}

try {
  const text = inputText({ bytes: chunks(), maxBytes }, textOptionsOf(options));
  for await (const batch of priceReaderOf(format, options)!(text, options)) {
    sorter.add(batch);
    sendIfRequested();
    while (sorter.isFull) await new Promise<void>((resolve) => (resume = resolve));
  }
  sendPrices();
  post({ kind: 'end' });
} catch (error) {
  if (!(error instanceof ImportRejected)) throw error;
  post({ kind: 'rejected', message: error.message, isTooLarge: error instanceof InputTooLarge });
}
port.close();
