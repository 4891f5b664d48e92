import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { TimeSlice } from '../scheduling/time-slice.js';

export interface RowWriting {
  response: ServerResponse;
  /** What parts are written to: the response, or a compressor that feeds it. */
  sink: Writable;
  /** Milliseconds without progress after which the connection is cut. */
  stallMs: number;
  /** Told of every part that is written. */
  onPart: (part: Buffer) => void;
  /** Told once, when the reader is slower than the rows. */
  onSlowReader: () => void;
}

/** Bytes written at once: whoever takes so many before the time is over does not stand still. */
const PIECE = 64 * 1024;

/** Reads parts from any iterable; `stop` ends it early. */
export class Parts {
  private readonly iterator: AsyncIterator<string | Buffer> | Iterator<string | Buffer>;
  private ended = false;

  constructor(parts: AsyncIterable<string | Buffer> | Iterable<string | Buffer>) {
    this.iterator = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
  }

  /** The next part, or null at the end. */
  async next(): Promise<Buffer | null> {
    const { done, value } = await this.iterator.next();
    if (done) {
      this.ended = true;
      return null;
    }
    return typeof value === 'string' ? Buffer.from(value) : value;
  }

  /** Tells the source that no more is wanted. */
  async stop(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.iterator.return?.();
  }
}

/**
 * Writes what is left of `parts`, after `first`. Waits for slow readers, lets other requests have their turn, and cuts the
 * connection when nothing moves any more.
 * @returns whether all of it was written; false when the client went away
 * @throws what the source throws; the connection is cut then, because a cut answer must not end like a whole one
 */
export async function writeParts(
  first: readonly Buffer[],
  parts: Parts,
  writing: RowWriting,
): Promise<boolean> {
  const { response, sink, stallMs } = writing;
  const pace = new TimeSlice();
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once('close', onClose);
  const stalled = setTimeout(() => cut(response), stallMs).unref();
  const write = async (part: Buffer): Promise<void> => {
    writing.onPart(part);
    for (let from = 0; from < part.length; from += PIECE) {
      if (sink.write(part.subarray(from, from + PIECE))) continue;
      writing.onSlowReader();
      await once(sink, 'drain', { signal: gone.signal });
      stalled.refresh();
    }
  };
  try {
    for (const part of first) await write(part);
    while (!gone.signal.aborted) {
      const part = await parts.next();
      stalled.refresh();
      if (part === null) {
        sink.end();
        response.setTimeout(stallMs);
        return true;
      }
      if (gone.signal.aborted) break;
      await write(part);
      stalled.refresh();
      await pace.yield();
    }
    return false;
  } catch (error) {
    if (gone.signal.aborted) return false;
    cut(response);
    throw error;
  } finally {
    clearTimeout(stalled);
    response.off('close', onClose);
    if (sink !== response && gone.signal.aborted) sink.destroy();
    await parts.stop();
  }
}

/** Ends a connection in the middle of an answer. HTTP/1.0 knows no chunks: there only a reset tells it from the end. */
function cut(response: ServerResponse): void {
  if (response.req.httpVersion === '1.0') response.socket?.resetAndDestroy();
  else response.destroy();
}
