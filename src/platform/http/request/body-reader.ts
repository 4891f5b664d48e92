import { RequestTimeout, TooLarge } from '../../errors/api-error.js';
import type { RequestContext } from './request-context.js';

/** The client disconnected while it was sending: there is nobody to reply to. */
export class ClientAborted extends Error {
  constructor() {
    super('The client disconnected.');
    this.name = 'ClientGone';
  }
}

export interface BodyBounds {
  /** Bytes. */
  limit: number;
  /** Milliseconds without a byte after which the request times out. */
  stallMs: number;
  /** Milliseconds for the whole body; unlimited by default. */
  totalMs?: number;
}

/**
 * The body of a request in chunks. Reading stops at the limit; a client that waits for `100
 * Continue` gets it when reading begins, so a body that is rejected before is never sent.
 * (Express's body parsers read a body that is too large to its end before they reject it.)
 * @throws TooLarge, RequestTimeout, ClientGone
 */
export async function* readBody(context: RequestContext, bounds: BodyBounds): AsyncGenerator<Buffer> {
  const { request, response } = context;
  const announced = request.headers['content-length'];
  if (announced !== undefined && Number(announced) > bounds.limit) throw new TooLarge(bounds.limit);
  if (context.expectsContinue) {
    context.expectsContinue = false;
    response.writeContinue();
  }
  const reader = new RequestReader(context, bounds);
  let size = 0;
  try {
    for (;;) {
      const chunk = await reader.next();
      if (chunk === null) return;
      size += chunk.length;
      if (size > bounds.limit) throw new TooLarge(bounds.limit);
      yield chunk;
    }
  } finally {
    reader.close();
  }
}

/** The whole body of a request. @throws as `readBody` */
export async function wholeBody(context: RequestContext, bounds: BodyBounds): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBody(context, bounds)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Reads a request on demand. Node's own iterator would destroy the request when reading stops
 * early, and with it the connection that the error response needs.
 */
class RequestReader {
  private readonly timers: NodeJS.Timeout[] = [];
  private failure: Error | null = null;
  private wake: () => void = () => undefined;
  private readonly onEvent = () => this.wake();
  private readonly onClose = () => {
    if (!this.request.complete) this.fail(new ClientAborted());
    this.wake();
  };

  private get request() {
    return this.context.request;
  }

  constructor(
    private readonly context: RequestContext,
    bounds: BodyBounds,
  ) {
    const { request } = context;
    const late = () => this.fail(new RequestTimeout('The body was not sent in time.'));
    this.timers.push(setTimeout(late, bounds.stallMs).unref());
    if (bounds.totalMs !== undefined) this.timers.push(setTimeout(late, bounds.totalMs).unref());
    request.on('readable', this.onEvent);
    request.on('end', this.onEvent);
    request.on('error', this.onClose);
    request.on('close', this.onClose);
  }

  async next(): Promise<Buffer | null> {
    for (;;) {
      if (this.failure !== null) throw this.failure;
      const chunk = this.request.read() as Buffer | null;
      if (chunk !== null) {
        this.timers[0]?.refresh();
        return chunk;
      }
      if (this.request.readableEnded) return null;
      if (this.request.destroyed && !this.request.complete) throw new ClientAborted();
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.request.off('readable', this.onEvent);
    this.request.off('end', this.onEvent);
    this.request.off('error', this.onClose);
    this.request.off('close', this.onClose);
    // A reset connection may still emit an error, which concerns nobody any more.
    this.request.on('error', () => undefined);
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.wake();
  }
}
