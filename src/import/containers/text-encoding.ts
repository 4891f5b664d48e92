import { decodeWindows1252 } from '../../lib/text/windows-1252.js';
import { ImportRejected } from '../formats/batch.js';
import { textKind } from './file-kind.js';
import { peek } from './unpack.js';
import { isZip } from './unzip.js';

/** Bytes of which an encoding without a byte order mark is recognised. */
const MIN_UTF16_BYTES = 16;
const MAX_UTF16_BYTES = 256;

/** Bytes by which kinds of text are recognised. */
const KIND_BYTES = 2048;

/** Encodings with names in the Encoding Standard that `TextDecoder` does not decode. */
const UNSUPPORTED = new Set(['replacement', 'x-user-defined']);

/**
 * The name of an encoding in the Encoding Standard (https://encoding.spec.whatwg.org/) that a label
 * stands for, such as `windows-1252` for `latin1`; null for one that is not known.
 */
export function encodingOf(label: string): string | null {
  try {
    const { encoding } = new TextDecoder(label.trim());
    return UNSUPPORTED.has(encoding) ? null : encoding;
  } catch {
    return null;
  }
}

/**
 * A text in UTF-8; a workbook as it is. Text in UTF-16 is recognised by its byte order mark or,
 * where its first line is ASCII, by the zero bytes; all other bytes are unchanged, unless an
 * encoding is specified.
 * @param label of the encoding, which a byte order mark overrides
 * @throws ImportRejected for bytes that are not of the encoding, and for web pages and other texts
 * that no format reads, by name
 */
export async function* toUtf8(bytes: AsyncIterable<Uint8Array>, label?: string): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(bytes, MAX_UTF16_BYTES);
  if (isZip(head)) {
    yield* whole;
    return;
  }
  const encoding = isMarkedUtf8(head)
    ? null
    : (markedUtf16(head) ?? (label === undefined ? unmarkedUtf16(head) : encodingOf(label)));
  const text = await peek(encoding === null ? whole : transcoded(whole, encoding), KIND_BYTES, isNoMarkup);
  const kind = textKind(text.head);
  if (kind !== null) {
    await text.whole.return(undefined);
    throw new ImportRejected(kind);
  }
  yield* text.whole;
}

const isMarkedUtf8 = (head: Uint8Array) => head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;

/** Whether the kind of a text is that of its first line. Kinds of markup show in later ones. */
const isNoMarkup = (head: Uint8Array) => /^[^<\s]/.test(Buffer.from(head.subarray(0, 1)).toString('latin1'));

function markedUtf16(head: Uint8Array): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null;
}

/** The byte order of UTF-16 without a mark: each second of the first bytes is 0, and no other. */
function unmarkedUtf16(head: Uint8Array): string | null {
  const length = Math.min(head.length & ~1, MAX_UTF16_BYTES);
  if (length < MIN_UTF16_BYTES) return null;
  const zeros = [0, 0];
  for (let index = 0; index < length; index++) if (head[index] === 0) zeros[index & 1]!++;
  if (zeros[0] === 0 && zeros[1] === length / 2) return 'utf-16le';
  return zeros[1] === 0 && zeros[0] === length / 2 ? 'utf-16be' : null;
}

async function* transcoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decode = decoderOf(encoding);
  for await (const chunk of bytes) {
    const text = decode(chunk);
    if (text !== '') yield Buffer.from(text);
  }
  const end = decode(null);
  if (end !== '') yield Buffer.from(end);
}

/** Decodes chunks, of which null is the last. @throws ImportRejected */
function decoderOf(encoding: string): (chunk: Uint8Array | null) => string {
  // Node 20 and 22 decode this encoding as Latin-1.
  if (encoding === 'windows-1252') return (chunk) => (chunk === null ? '' : decodeWindows1252(chunk));
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (chunk) => {
    try {
      return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new ImportRejected(`The input is not text in the encoding ${encoding}.`);
    }
  };
}
