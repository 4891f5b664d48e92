import { isAscii, isUtf8 } from 'node:buffer';
import { ImportRejected } from './batch.js';

const NEWLINE = 10;
/** Maximum length of a line; a file with a longer one is not a table. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * `windows-1252` decodes each line that is not UTF-8 as Windows-1252. With `utf-8` invalid bytes
 * become U+FFFD, which validation rejects.
 */
export type TextEncoding = 'utf-8' | 'windows-1252';

/**
 * Splits bytes into blocks of whole lines and decodes them. No UTF-8 character contains a newline
 * byte, so each block can be decoded by itself, and the encoding can be detected line by line.
 * A byte order mark is dropped.
 */
export async function* lineBlocks(
  chunks: AsyncIterable<Uint8Array>,
  encoding: TextEncoding,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const block of wholeLines(chunks)) {
    const start = isFirst && block.subarray(0, 3).equals(BOM) ? 3 : 0;
    isFirst = false;
    const text = decode(block.subarray(start), encoding);
    if (text !== '') yield text;
  }
}

async function* wholeLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      rest.push(chunk);
      length += chunk.length;
      if (length > MAX_LINE_BYTES)
        throw new ImportRejected('The input is not a table: it has a line longer than 4 MB.');
      continue;
    }
    const lines = chunk.subarray(0, end);
    yield rest.length > 0 ? Buffer.concat([...rest, lines]) : asBuffer(lines);
    rest = end < chunk.length ? [chunk.subarray(end)] : [];
    length = chunk.length - end;
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The characters of Windows-1252 from 0x80, where Latin-1 has control characters. */
const WINDOWS_1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

/** Not `TextDecoder`: Node 20 and 22 decode this encoding as Latin-1. */
function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (letter) => WINDOWS_1252[letter.charCodeAt(0) - 0x80]!);
}

function decode(block: Buffer, encoding: TextEncoding): string {
  if (isAscii(block)) return block.toString('latin1');
  if (encoding === 'utf-8' || isUtf8(block)) return block.toString('utf8');
  const lines: string[] = [];
  for (let start = 0; start < block.length;) {
    const newline = block.indexOf(NEWLINE, start);
    const end = newline < 0 ? block.length : newline + 1;
    const line = block.subarray(start, end);
    lines.push(isUtf8(line) ? line.toString('utf8') : decodeWindows1252(line));
    start = end;
  }
  return lines.join('');
}
