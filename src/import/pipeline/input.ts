import { createHash, type Hash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { currentTrace } from '../../platform/logging/trace-context.js';
import { toUtf8 } from '../containers/text-encoding.js';
import { unpack } from '../containers/unpack.js';
import { ImportRejected } from '../formats/batch.js';

/** Bytes read at once: large enough to be fast, small enough not to block the event loop. */
const CHUNK_BYTES = 64 * 1024;
/** Timeout for a server to begin its response, and then between two chunks of it. */
const SERVER_TIMEOUT_MS = 60_000;

/** The raw input of an import. Readers read it through `inputText`. */
export interface Input {
  /** The file's name without its folder, or a URL without its query; '' for standard input. */
  readonly name: string;
  /** In bytes, null if not known beforehand. */
  readonly size: number | null;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Maximum length in bytes after decompression. */
  readonly maxBytes: number;
  /** Bytes of the input read so far. */
  bytesRead(): number;
  /** SHA-256 of the bytes read so far, in hexadecimal. */
  digest(): string;
  /** Closes the source, even if it is not read to its end. */
  close(): Promise<void>;
}

/**
 * Opens a file, an http or https URL, or `-`, the standard input.
 * @throws ImportRejected if it cannot be opened
 */
export async function openInput(target: string): Promise<Input> {
  if (target === '-') return createInput(process.stdin, '', null);
  if (/^https?:\/\//i.test(target)) {
    if (!URL.canParse(target)) throw new ImportRejected(`${target} is not a valid URL.`);
    return openUrl(new URL(target));
  }
  const found = await stat(target).catch(() => null);
  if (found === null || found.isDirectory()) throw new ImportRejected(`There is no file ${target}.`);
  const file = await open(target).catch(() => {
    throw new ImportRejected(`${target} cannot be read.`);
  });
  return createInput(file.createReadStream({ highWaterMark: CHUNK_BYTES }), basename(target), found.size);
}

async function openUrl(url: URL): Promise<Input> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), SERVER_TIMEOUT_MS);
  let response: Response;
  try {
    response = await fetch(url, { signal: abort.signal, headers: currentTrace()?.headers });
  } catch {
    throw new ImportRejected(`${url.host} could not be reached.`);
  } finally {
    clearTimeout(timer);
  }
  if (!response.ok || response.body === null) {
    abort.abort();
    throw new ImportRejected(`${url.href} returned status ${response.status}.`);
  }
  const length = Number(response.headers.get('content-length'));
  // fetch decodes Content-Encoding, so Content-Length is then not the length of the input.
  const isEncoded = response.headers.has('content-encoding');
  return createInput(
    withTimeout(response.body, abort),
    `${url.origin}${url.pathname}`,
    isEncoded || !(length > 0) ? null : length,
    Infinity,
    () => abort.abort(),
  );
}

/** The chunks of a body, each within the timeout. Aborting also ends a pending read. */
async function* withTimeout(
  body: AsyncIterable<Uint8Array>,
  abort: AbortController,
): AsyncGenerator<Uint8Array> {
  const onTimeout = () => abort.abort(new ImportRejected('The server stopped sending data.'));
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(onTimeout, SERVER_TIMEOUT_MS);
      const chunk = await chunks.next().finally(() => clearTimeout(timer));
      if (chunk.done) return;
      yield chunk.value;
    }
  } finally {
    abort.abort();
  }
}

/**
 * Creates an input from bytes in memory or a stream.
 * @param maxBytes maximum length after decompression
 * @param destroySource closes the source at once, even while a read is pending
 */
export function createInput(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  size: number | null,
  maxBytes = Infinity,
  destroySource: () => void = () => bytes instanceof Readable && bytes.destroy(),
): Input {
  const hash = createHash('sha256');
  let read = 0;
  const counted = countBytes(bytes, hash, (length) => (read += length));
  return {
    name,
    size,
    bytes: counted,
    maxBytes,
    bytesRead: () => read,
    digest: () => hash.copy().digest('hex'),
    close: async () => {
      // The source first: a pending read of a stalled source would never end.
      destroySource();
      await counted.return(undefined).catch(() => undefined);
    },
  };
}

/**
 * Counts and hashes bytes as they are read.
 * @throws ImportRejected if the source fails. Its own message may hold a path, and is not reported.
 */
async function* countBytes(
  bytes: AsyncIterable<Uint8Array>,
  hash: Hash,
  onRead: (length: number) => void,
): AsyncGenerator<Uint8Array, void> {
  let hasStarted = false;
  try {
    for await (const chunk of bytes) {
      hasStarted = true;
      hash.update(chunk);
      onRead(chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ImportRejected) throw error;
    throw new ImportRejected(hasStarted ? 'The input ended unexpectedly.' : 'The input cannot be read.');
  }
}

/** What an import says of the containers and the encoding of its input. */
export interface InputTextOptions {
  /** Name of the file of a zip archive. */
  readonly file?: string | undefined;
  /** Label of its encoding; by default UTF-8, or UTF-16 where it is recognised. */
  readonly encoding?: string | undefined;
}

/**
 * The text of an input in UTF-8, or the bytes of a workbook, out of the gzip file or zip archive
 * that it may be in.
 * @throws InputTooLarge
 * @throws ImportRejected for damaged archives, and for files that no format reads, by name
 */
export function inputText(
  { bytes, maxBytes }: Pick<Input, 'bytes' | 'maxBytes'>,
  { file, encoding }: InputTextOptions = {},
): AsyncGenerator<Uint8Array> {
  return toUtf8(unpack(bytes, { maxBytes, file }), encoding);
}
