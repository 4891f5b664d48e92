import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { TurnQueue } from '../../lib/scheduling/turn-queue.js';
import { Unavailable } from '../../platform/errors/api-error.js';

/** What the thread is asked for. */
export interface PngRequest {
  readonly svg: string;
  /** Of the image, in pixels; its height follows. */
  readonly width: number;
}

/** Images that wait for the thread: about a second of work. */
const MAX_WAITING = 24;
/** Seconds after which a rejected client may try again. */
const RETRY_AFTER = 2;
/** Milliseconds that an image may take; the thread is too busy, or hangs. */
const TIME_LIMIT_MS = 10_000;
/** Milliseconds without a request after which the thread ends, and gives its memory back. */
const IDLE_MS = 60_000;

/**
 * Draws SVG as PNG in a thread, which other requests do not wait for. There is one in each process,
 * since an image takes some 30 ms; it is started when it is needed.
 */
@Injectable()
export class PngRenderer implements OnModuleDestroy {
  private readonly turns = new TurnQueue(1);
  private thread: Worker | null = null;
  private idle: NodeJS.Timeout | null = null;

  /**
   * @throws Unavailable when too many images wait already, or the image takes too long, and the
   * reason of the signal when it is aborted before the image is begun
   */
  async render(request: PngRequest, signal: AbortSignal): Promise<Buffer> {
    if (this.turns.length >= MAX_WAITING)
      throw new Unavailable('The service is busy with images. Try again.', RETRY_AFTER);
    await this.turns.acquire(signal);
    try {
      return await this.draw(request);
    } finally {
      this.turns.release();
    }
  }

  async onModuleDestroy(): Promise<void> {
    if (this.idle !== null) clearTimeout(this.idle);
    await this.end();
  }

  /** An error and the time limit end the thread; the next image starts another one. */
  private async draw(request: PngRequest): Promise<Buffer> {
    if (this.idle !== null) clearTimeout(this.idle);
    const thread = (this.thread ??= this.start());
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), TIME_LIMIT_MS).unref();
    try {
      const reply = once(thread, 'message', { signal: limit.signal });
      thread.postMessage(request);
      const [png] = (await reply) as [Uint8Array<ArrayBuffer>];
      this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
      return Buffer.from(png.buffer, png.byteOffset, png.byteLength);
    } catch (error) {
      if (!limit.signal.aborted) throw error;
      // Not waited for: it ends when the drawing does.
      void this.end();
      throw new Unavailable('The image takes too long. Try again.', RETRY_AFTER);
    } finally {
      clearTimeout(timer);
    }
  }

  private start(): Worker {
    const thread = new Worker(new URL('./png.thread.js', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
    });
    thread.unref();
    thread.once('error', () => {
      if (this.thread === thread) this.thread = null;
    });
    return thread;
  }

  private async end(): Promise<void> {
    const { thread } = this;
    this.thread = null;
    await thread?.terminate();
  }
}
