import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportRejected } from '../formats/batch.js';
import { binaryKind, documentKind, isWorkbook } from './file-kind.js';
import { isZip, namesIn, unzip } from './unzip.js';

/** Bytes that are decompressed at once. */
const CHUNK_BYTES = 64 * 1024;
/** Bytes from the begin of an input by which it is recognised, with some names of an archive. */
const HEAD_BYTES = 16 * 1024;
/** Bytes that no other kind of file begins with; its own are fewer. */
const MIN_TEXT_BYTES = 8;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** Containers within each other: a gzip file in a zip archive has two. */
const MAX_DEPTH = 3;

/** The input exceeds its maximum length. */
export class InputTooLarge extends ImportRejected {}

/** How an input is unpacked. */
interface UnpackOptions {
  /** Maximum length in bytes of what comes out of each container. */
  readonly maxBytes: number;
  /** Name of the file of a zip archive. */
  readonly file?: string | undefined;
}

/**
 * The bytes of a file, out of the gzip file or zip archive that it may be in. Both are recognised
 * by their bytes, not by names. A workbook, which is a zip archive too, stays one.
 * @throws InputTooLarge
 * @throws ImportRejected for damaged containers, and for files that no format reads, by name
 */
export async function* unpack(
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes, file }: UnpackOptions,
  depth = 0,
): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(limited(bytes, maxBytes), HEAD_BYTES);
  const names = isZip(head) ? namesIn(head) : [];
  const kind = isZip(head) ? documentKind(names) : binaryKind(head);
  const isPacked = isGzip(head) || (isZip(head) && !isWorkbook(names));
  const failure =
    kind ?? (isPacked && depth === MAX_DEPTH ? 'The input is an archive in archives: unpack it.' : null);
  if (failure !== null) {
    await whole.return(undefined);
    throw new ImportRejected(failure);
  }
  if (!isPacked) yield* whole;
  else if (isGzip(head)) yield* unpack(gunzip(whole), { maxBytes, file }, depth + 1);
  else yield* unpack(unzip(whole, file), { maxBytes }, depth + 1);
}

/**
 * The first bytes of an input, and all of them. A server may stall after few bytes, so no more are
 * awaited than it takes.
 * @param maxBytes after which the first bytes are enough in any case
 * @param isEnough whether those are that end with a line
 */
export async function peek(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  isEnough: (head: Uint8Array) => boolean = isText,
): Promise<{ head: Uint8Array; whole: AsyncGenerator<Uint8Array> }> {
  const rest = bytes[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < maxBytes) {
    const next = await rest.next();
    if (next.done) break;
    chunks.push(next.value);
    length += next.value.length;
    if (!next.value.includes(NEWLINE) && !next.value.includes(CARRIAGE_RETURN)) continue;
    if (isEnough(chunks.length === 1 ? next.value : Buffer.concat(chunks))) break;
  }
  const head = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  return { head, whole: prepend(head, rest) };
}

/** Whether the first bytes show that an input is text, in an encoding that has ASCII's bytes. */
const isText = (head: Uint8Array): boolean =>
  head.length >= MIN_TEXT_BYTES && !head.includes(0) && !isZip(head) && !isGzip(head);

async function* prepend(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* limited(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let remaining = maxBytes;
  for await (const chunk of bytes) {
    remaining -= chunk.length;
    if (remaining < 0)
      throw new InputTooLarge(`The input must be at most ${maxBytes} bytes long after decompression.`);
    yield chunk;
  }
}

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** Whether a file is in gzip or a zip archive, as workbooks are, too. */
export const isPacked = (head: Uint8Array): boolean => isGzip(head) || isZip(head);

async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(bytes, { objectMode: false, highWaterMark: CHUNK_BYTES });
  const decompressed = createGunzip({ chunkSize: CHUNK_BYTES });
  source.on('error', (error) => decompressed.destroy(error));
  try {
    yield* source.pipe(decompressed) as AsyncIterable<Buffer>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code === 'string' && code.startsWith('Z_'))
      throw new ImportRejected('The gzip input is damaged or truncated.');
    throw error;
  } finally {
    source.destroy();
  }
}
