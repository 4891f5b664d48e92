import { RequestTimeout, TooLarge } from '../errors/api-error.js';
import type { HttpLimits } from './options.js';
import type { ConcurrencyLimits } from './overload/limits.js';
import type { RequestInfo } from './request.js';

/** The client disconnected while it was sending: there is nobody to reply to. */
export class ClientAborted extends Error {
  constructor() {
    super('The client disconnected.');
    this.name = 'ClientAborted';
  }
}

interface BodyBounds {
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
 * @throws TooLarge, RequestTimeout, ClientAborted
 */
export async function* readBody(info: RequestInfo, bounds: BodyBounds): AsyncGenerator<Buffer> {
  const { request, response } = info;
  const announced = request.headers['content-length'];
  if (announced !== undefined && Number(announced) > bounds.limit) throw new TooLarge(bounds.limit);
  if (info.expectsContinue) {
    info.expectsContinue = false;
    response.writeContinue();
  }
  // Destroying the request would close the connection that an error response needs.
  const chunks = request.iterator({ destroyOnReturn: false });
  const late = new Deadlines(bounds);
  let size = 0;
  try {
    for (;;) {
      const result = (await late.before(chunks.next())) as IteratorResult<Buffer>;
      if (result.done) return;
      late.restartStall();
      size += result.value.length;
      if (size > bounds.limit) throw new TooLarge(bounds.limit);
      yield result.value;
    }
  } catch (error) {
    throw request.destroyed && !request.complete ? new ClientAborted() : error;
  } finally {
    late.stop();
    void chunks.return?.();
    // A reset connection may still emit an error, which concerns nobody any more.
    request.on('error', () => undefined);
  }
}

/** The whole body of a request. @throws as `readBody` */
export async function wholeBody(info: RequestInfo, bounds: BodyBounds): Promise<Buffer> {
  return Buffer.concat(await bodyChunks(info, bounds));
}

/** The whole body of a request as it came: a long one is not copied. @throws as `readBody` */
export async function bodyChunks(info: RequestInfo, bounds: BodyBounds): Promise<Buffer[]> {
  const received = receivedBody(info, bounds.limit);
  if (received !== null) return [received];
  const chunks: Buffer[] = [];
  for await (const chunk of readBody(info, bounds)) chunks.push(chunk);
  return chunks;
}

/**
 * The body of a request that has all arrived, as that of nearly all has: together with the headers.
 * @returns null where there is more to wait for, and where it is longer than the limit
 */
export function receivedBody(info: RequestInfo, limit: number): Buffer | null {
  const { request, expectsContinue } = info;
  const { readableLength } = request;
  if (expectsContinue || readableLength > limit) return null;
  // `complete` is set after the callback for the last bytes, and handlers run inside of that.
  if (!request.complete && readableLength !== Number(request.headers['content-length'])) return null;
  info.bodyTaken = true;
  const body = (request.read() as Buffer | null) ?? Buffer.alloc(0);
  // Without it there would be no `end` event, which tells Node that the request is done with.
  request.resume();
  return body;
}

/**
 * Waits for a body within the limit of those that are being received.
 * @throws ApiError 503 when newer bodies need its place
 */
export async function receive<T>(body: Promise<T>, { bodies }: ConcurrencyLimits): Promise<T> {
  let reject!: (reason: Error) => void;
  const evicted = new Promise<never>((_, rejectPromise) => (reject = rejectPromise));
  bodies.enter(reject);
  try {
    return await Promise.race([body, evicted]);
  } finally {
    bodies.leave(reject);
  }
}

/** The times after which a body is no longer waited for. */
class Deadlines {
  private readonly timers: NodeJS.Timeout[] = [];
  private late: RequestTimeout | null = null;
  private onLate: (error: RequestTimeout) => void = () => undefined;

  constructor({ stallMs, totalMs }: BodyBounds) {
    const end = () => this.onLate((this.late = new RequestTimeout('The body was not sent in time.')));
    for (const delay of totalMs === undefined ? [stallMs] : [stallMs, totalMs])
      this.timers.push(setTimeout(end, delay).unref());
  }

  /**
   * What comes next, where it comes in time. (`Promise.race` with one promise of the deadlines
   * would keep all chunks as long as that: each race is noted there with its result.)
   * @throws RequestTimeout
   */
  before<T>(next: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onLate = reject;
      next.then(resolve, reject);
      if (this.late !== null) reject(this.late);
    });
  }

  restartStall(): void {
    this.timers[0]?.refresh();
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }
}

/**
 * Decides what happens to the part of a request's body that has not been read when its response is
 * sent. A short rest is read by Node and discarded. For a long one, or when the connection is to be
 * closed anyway, reading goes on for a moment after the response: closing a socket with unread
 * bytes resets it, and the client would see the reset instead of the response.
 * @returns whether the connection has to be closed after the response
 */
export function closeGently(info: RequestInfo, limits: HttpLimits, close: boolean): boolean {
  const { request, response } = info;
  if (request.complete || info.bodyTaken || !info.hasBody) return close;
  const length = request.headers['content-length'];
  const { socket } = request;
  if (!close && !info.expectsContinue && length !== undefined && Number(length) <= limits.bodyBytes) {
    const timer = setTimeout(() => request.complete || socket.destroy(), limits.bodyMs).unref();
    request.once('end', () => clearTimeout(timer));
    return false;
  }
  // Node ends a connection that is not kept alive by this method, which closes at once when the
  // response is written.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), limits.lingerMs).unref();
    request.once('end', () => socket.destroy());
    socket.once('close', () => clearTimeout(timer));
  };
  response.once('finish', () => request.resume());
  return true;
}
