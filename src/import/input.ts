import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportRejected } from './formats/batch.js';

/** Bytes read at once: large enough to cost little, small enough that the event loop is free between two. */
const CHUNK = 64 * 1024;
/** Milliseconds a server may take to begin its answer, and then between two pieces of it. */
const SERVER_PATIENCE = 60_000;

/** The input is longer than it may be. */
export class InputTooLarge extends ImportRejected {}

/** Where rows come from, as it was given; `unpack` makes of its bytes what readers read. */
export interface Input {
  /** The file's name without its folder; '' for standard input. */
  readonly name: string;
  /** In bytes, null where it is not known beforehand. */
  readonly size: number | null;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Bytes that it may have once it is unpacked. */
  readonly most: number;
  /** Bytes of the input read so far. */
  bytesRead(): number;
  /** SHA-256 of what was read, as hexadecimal digits. */
  digest(): string;
  /** Lets go of the source, read to its end or not. */
  close(): Promise<void>;
}

/**
 * Opens a file, an http or https address, or `-`, the standard input.
 * @throws ImportRefused where it cannot be read
 */
export async function openInput(target: string): Promise<Input> {
  if (target === '-') return makeInput(process.stdin, '', null);
  if (/^https?:\/\//i.test(target)) {
    if (!URL.canParse(target)) throw new ImportRejected(`${target} is no address.`);
    return openAddress(new URL(target));
  }
  const found = await stat(target).catch(() => null);
  if (found === null || found.isDirectory()) throw new ImportRejected(`There is no file ${target}.`);
  return makeInput(createReadStream(target, { highWaterMark: CHUNK }), basename(target), found.size);
}

async function openAddress(address: URL): Promise<Input> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), SERVER_PATIENCE);
  let response: Response;
  try {
    response = await fetch(address, { signal: abort.signal });
  } catch {
    throw new ImportRejected(`${address.host} does not answer.`);
  } finally {
    clearTimeout(timer);
  }
  if (!response.ok || response.body === null) {
    abort.abort();
    throw new ImportRejected(`${address.href} was answered with status ${response.status}.`);
  }
  const length = Number(response.headers.get('content-length'));
  // What the server packed for the way is unpacked by fetch, so the length of the way is not that of the input.
  const packed = response.headers.has('content-encoding');
  return makeInput(
    inTime(response.body, abort),
    basename(address.pathname),
    packed || !(length > 0) ? null : length,
    Infinity,
    () => abort.abort(),
  );
}

/** The pieces of a body, each of which has to come in time; to abort is to let go of the connection, and ends a wait for a piece. */
async function* inTime(body: AsyncIterable<Uint8Array>, abort: AbortController): AsyncGenerator<Uint8Array> {
  const late = () => abort.abort(new ImportRejected('The server stopped sending.'));
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(late, SERVER_PATIENCE);
      const piece = await pieces.next().finally(() => clearTimeout(timer));
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    abort.abort();
  }
}

/**
 * An input of bytes that are at hand or come from a stream.
 * @param most bytes that it may have once it is unpacked
 * @param letGo lets go of the source at once, even where a piece of it is being waited for
 */
export function makeInput(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  size: number | null,
  most = Infinity,
  letGo: () => void = () => bytes instanceof Readable && bytes.destroy(),
): Input {
  const hash = createHash('sha256');
  let read = 0;
  const counted = count(bytes, hash, (length) => (read += length));
  return {
    name,
    size,
    bytes: counted,
    most,
    bytesRead: () => read,
    digest: () => hash.copy().digest('hex'),
    close: async () => {
      // First the source: whoever still waits for its next piece would wait as long as it stalls.
      letGo();
      await counted.return(undefined).catch(() => undefined);
    },
  };
}

/** @throws ImportRefused where the source fails: what it says of itself, such as a path, is not for whoever reads the report */
async function* count(
  bytes: AsyncIterable<Uint8Array>,
  hash: Hash,
  tell: (length: number) => void,
): AsyncGenerator<Uint8Array, void> {
  let isBegun = false;
  try {
    for await (const chunk of bytes) {
      isBegun = true;
      hash.update(chunk);
      tell(chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ImportRejected) throw error;
    throw new ImportRejected(isBegun ? 'The input broke off.' : 'The input cannot be read.');
  }
}

/**
 * The bytes of an input as readers take them: unpacked where they are gzip.
 * @throws InputTooLarge; ImportRefused for gzip that is damaged
 */
export async function* unpack({ bytes, most }: Pick<Input, 'bytes' | 'most'>): AsyncGenerator<Uint8Array> {
  let left = most;
  for await (const chunk of unpacked(bytes[Symbol.asyncIterator]())) {
    left -= chunk.length;
    if (left < 0) throw new InputTooLarge(`The input may have at most ${most} bytes once it is unpacked.`);
    yield chunk;
  }
}

/** Unpacks gzip, which is told by its first two bytes, whatever the name says. */
async function* unpacked(bytes: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first: Uint8Array = new Uint8Array();
  while (first.length < 2) {
    const next = await bytes.next();
    if (next.done) break;
    first = Buffer.concat([first, next.value]);
  }
  const whole = startingWith(first, bytes);
  if (first[0] !== 0x1f || first[1] !== 0x8b) return yield* whole;
  const source = Readable.from(whole, { objectMode: false, highWaterMark: CHUNK });
  const gunzip = createGunzip({ chunkSize: CHUNK });
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip) as AsyncIterable<Buffer>;
  } catch (error) {
    if (
      typeof (error as NodeJS.ErrnoException).code === 'string' &&
      /^Z_/.test((error as NodeJS.ErrnoException).code!)
    ) {
      throw new ImportRejected('The gzip input is damaged or cut short.');
    }
    throw error;
  } finally {
    source.destroy();
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
