import { isAscii, isUtf8 } from 'node:buffer';
import { decodeWindows1252 } from '../../lib/text/windows-1252.js';
import { peek } from '../containers/unpack.js';
import { ImportRejected } from '../formats/batch.js';
import { optionHint } from '../formats/option-hint.js';

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;
/** Bytes within which the first line ends, unless it is none. */
const HEAD_BYTES = 64 * 1024;
/** Maximum length of a line; a file with a longer one is not a table. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * `windows-1252` decodes each line that is not UTF-8 as Windows-1252, if it can be. With `utf-8`
 * invalid bytes become U+FFFD, which validation rejects.
 */
export type TextEncoding = 'utf-8' | 'windows-1252';

/**
 * Splits bytes into blocks of whole lines and decodes them. No UTF-8 character contains a newline
 * byte, so each block can be decoded by itself, and the encoding can be detected line by line.
 * A byte order mark is dropped. Where lines end with carriage returns alone, these become newlines.
 * @throws ImportRejected for lines in an encoding that must be specified
 */
export async function* lineBlocks(
  chunks: AsyncIterable<Uint8Array>,
  encoding: TextEncoding,
): AsyncGenerator<string> {
  const { head, whole } = await peek(chunks, HEAD_BYTES, (begin) => lineEnd(begin) !== null);
  const lines = lineEnd(head) === CARRIAGE_RETURN ? withNewlines(whole) : whole;
  let isFirst = true;
  for await (const block of wholeLines(lines)) {
    const start = isFirst && block.subarray(0, 3).equals(BOM) ? 3 : 0;
    isFirst = false;
    const text = decode(block.subarray(start), encoding);
    if (text !== '') yield text;
  }
}

/** The byte that ends the first line, outside of quotes; null where there is none yet. */
function lineEnd(head: Uint8Array): number | null {
  let isQuoted = false;
  for (const [index, byte] of head.entries()) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (byte === NEWLINE) return NEWLINE;
    else if (byte === CARRIAGE_RETURN && index + 1 < head.length)
      return head[index + 1] === NEWLINE ? NEWLINE : CARRIAGE_RETURN;
  }
  return null;
}

async function* withNewlines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield chunk.map((byte) => (byte === CARRIAGE_RETURN ? NEWLINE : byte));
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

function decode(block: Buffer, encoding: TextEncoding): string {
  if (isAscii(block)) return block.toString('latin1');
  if (encoding === 'utf-8' || isUtf8(block)) return block.toString('utf8');
  const lines: string[] = [];
  for (let start = 0; start < block.length;) {
    const newline = block.indexOf(NEWLINE, start);
    const end = newline < 0 ? block.length : newline + 1;
    const line = block.subarray(start, end);
    lines.push(isUtf8(line) ? line.toString('utf8') : readWindows1252(line));
    start = end;
  }
  return lines.join('');
}

/**
 * What no word of a language in Windows-1252 has: letters beyond ASCII and no others, signs between
 * letters, the first byte of katakana twice, or four signs and letters beyond ASCII in a row, other
 * than dashes, dots and quotes. Then the letters of Icelandic, which here are Turkish or Romanian
 * (Windows-1254, 1250) far more often, and what é of a Mac and ł, ź and ş of Windows-1250 become.
 */
const FOREIGN_WORD = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])[^\P{L}\x00-\x7f]{2,}(?![\p{L}\p{N}])`,
    String.raw`\p{L}[¡¢£¤¥¦§¨©¬¯±³¶¸¹¼½¾¿ƒ‚„“”†‡ˆ‰‹˜›÷\ufffd]\p{L}`,
    'ƒ[!-~]ƒ',
    String.raw`(?!\p{L}{4}|[\xa0‘’“”«»–—…•·]{4})[^\x00-\x7f]{4}`,
    String.raw`\p{L}[ÐÝÞðýþ]|[ÐÝÞðýþ]\p{L}`,
    String.raw`\p{Ll}[ŽŸ]|\p{L}[Ž™]\p{Ll}|\p{Ll}[ªº]\p{Ll}|£\p{Ll}`,
  ].join('|'),
  'u',
);

/** Characters of a word that a message shows. */
const SHOWN = 40;

/** @throws ImportRejected for what is in another encoding by its words */
function readWindows1252(line: Buffer): string {
  const text = decodeWindows1252(line);
  const found = FOREIGN_WORD.exec(text);
  if (found === null) return text;
  const start = /[^\s,;"|]*$/.exec(text.slice(Math.max(0, found.index - SHOWN), found.index))!.index;
  const from = Math.max(0, found.index - SHOWN) + start;
  const [word] = /^[^\s,;"|]+/.exec(text.slice(from, from + SHOWN))!;
  throw new ImportRejected(
    // Each of them reads any bytes as some text: only the user knows which is right.
    `The input is neither UTF-8 nor Windows-1252, in which it would have the word "${word}". Specify ` +
      `the encoding that it was saved in with ${optionHint('encoding', ['windows-1251', 'macintosh'])} ` +
      'or another, or save it in UTF-8.',
  );
}
