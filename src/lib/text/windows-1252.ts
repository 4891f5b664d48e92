import { isAscii } from 'node:buffer';

/** The characters of Windows-1252 from 0x80, where Latin-1 has control characters. */
const FROM_0X80 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

/** Not `TextDecoder`: Node 20 and 22 decode this encoding as Latin-1. */
export function decodeWindows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return isAscii(bytes)
    ? text
    : text.replace(/[\x80-\x9f]/g, (letter) => FROM_0X80[letter.charCodeAt(0) - 0x80]!);
}

/** The two characters that UTF-8 has for most letters with accents, decoded as Windows-1252. */
const PAIR = /[ÂÃ][\u0080-\u00bf\u0152-\u2122]/;
/** Quotation marks behind a word, which may follow one of these letters: `“AMANHÔ. */
const CLOSING = /[”’»]$/;

/**
 * What is meant by a text in UTF-8 that was decoded as Windows-1252 and encoded again: `Côte` for
 * `CÃ´te`; null for all other texts. Of letters in Western Europe, by words.
 */
export function textBeforeDecoding(text: string): string | null {
  if (!PAIR.test(text)) return null;
  const words = text.split(' ').map((word) => wordBeforeDecoding(word) ?? word);
  const before = words.join(' ');
  return before === text ? null : before;
}

function wordBeforeDecoding(word: string): string | null {
  if (!PAIR.test(word.replace(CLOSING, ''))) return null;
  const bytes = [...word].map((letter) => {
    const index = FROM_0X80.indexOf(letter);
    return index < 0 ? letter.codePointAt(0)! : index + 0x80;
  });
  if (bytes.some((byte) => byte > 0xff)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}
