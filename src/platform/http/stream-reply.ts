import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { abortIfStalled, abortResponse } from '../../lib/scheduling/stalled-response.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { Chunks } from '../formats/chunks.js';
import type { HttpLimits } from './options.js';

interface ChunkWriting {
  response: ServerResponse;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** What chunks are written to: the response, or a compressor that feeds it. */
  sink: Writable;
  /** Milliseconds without progress after which the connection is aborted. */
  stallMs: number;
  /** Called with every chunk before it is written. */
  onChunk: (chunk: Buffer) => void;
  /** Called when the reader is slower than the source, with what ends when it has caught up. */
  onSlowReader: (drained: Promise<unknown>) => Promise<void>;
  /** Awaited between two chunks. */
  betweenChunks: () => Promise<void>;
}

/** Bytes written at once: a reader that accepts so many before the timer ends has not stalled. */
const WRITE_SIZE = 64 * 1024;

/** Reads chunks from any iterable; `stop` ends it early. */
export class ChunkReader {
  private readonly iterator: AsyncIterator<string | Buffer> | Iterator<string | Buffer>;
  private ended = false;

  constructor(chunks: Chunks) {
    this.iterator =
      Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  }

  /** The next chunk; null at the end. */
  async next(): Promise<Buffer | null> {
    const result = await this.iterator.next();
    if (result.done) {
      this.ended = true;
      return null;
    }
    const { value } = result;
    return typeof value === 'string' ? Buffer.from(value) : value;
  }

  /** Ends the source before its end. */
  async stop(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.iterator.return?.();
  }
}

/**
 * Writes the chunks of `first`, then the rest of `source`. Waits for slow readers, yields to other
 * requests, and aborts the connection when nothing moves any more.
 * @returns whether all of it was written; false when the client disconnected
 * @throws what the source throws; the connection is aborted then, because a truncated body must not
 *   end like a complete one
 */
export async function writeChunks(
  first: readonly Buffer[],
  source: ChunkReader,
  writing: ChunkWriting,
): Promise<boolean> {
  const { response, signal, sink, stallMs } = writing;
  const timeSlice = new TimeSlice();
  const stalled = setTimeout(() => abortResponse(response), stallMs).unref();
  const write = async (chunk: Buffer): Promise<void> => {
    writing.onChunk(chunk);
    for (let start = 0; start < chunk.length; start += WRITE_SIZE) {
      if (sink.write(chunk.subarray(start, start + WRITE_SIZE))) continue;
      await writing.onSlowReader(once(sink, 'drain', { signal }));
      stalled.refresh();
    }
  };
  try {
    for (const chunk of first) await write(chunk);
    while (!signal.aborted) {
      const chunk = await source.next();
      stalled.refresh();
      if (chunk === null) {
        sink.end();
        abortIfStalled(response, stallMs);
        return true;
      }
      if (signal.aborted) break;
      await write(chunk);
      stalled.refresh();
      await writing.betweenChunks();
      await timeSlice.yield();
    }
    return false;
  } catch (error) {
    if (signal.aborted) return false;
    abortResponse(response);
    throw error;
  } finally {
    clearTimeout(stalled);
    await source.stop();
  }
}

/** The copy of a stream that is being collected for the page cache. */
interface StreamCopy {
  add(chunk: Buffer): void;
  /** The whole body; null where it became too large to store. */
  whole(): Buffer | null;
  /** Frees what the copy holds. */
  end(): void;
}

/** Copies streams for the page cache, within a limit for each and one for all at the same time. */
export class StreamCollector {
  private held = 0;

  constructor(private readonly limits: HttpLimits) {}

  /** @param wanted false for a stream that may not be stored */
  begin(wanted: boolean): StreamCopy {
    let chunks: Buffer[] | null = wanted ? [] : null;
    let size = 0;
    const end = (): void => {
      this.held -= size;
      size = 0;
      chunks = null;
    };
    return {
      end,
      whole: () => chunks && Buffer.concat(chunks),
      add: (chunk) => {
        if (chunks === null) return;
        const fits = size + chunk.length <= this.limits.cachedReplyBytes;
        if (!fits || this.held + chunk.length > this.limits.collectingBytes) return end();
        chunks.push(chunk);
        size += chunk.length;
        this.held += chunk.length;
      },
    };
  }
}
