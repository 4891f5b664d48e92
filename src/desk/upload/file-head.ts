import { createReadStream } from 'node:fs';
import { inputText } from '../../import/pipeline/input.js';

/** Bytes that are read to recognise a file: more than the first element of a long JSON list. */
const READ_BYTES = 4 * 1024 * 1024;
const HEAD_BYTES = 1024 * 1024;

/**
 * The begin of the text of a file, in UTF-8.
 * @param encoding as for `inputText`
 * @throws ImportRejected for damaged archives, and for files that no format reads, by name
 */
export async function headOf(path: string, encoding?: string): Promise<Buffer> {
  const bytes = createReadStream(path, { end: READ_BYTES - 1 });
  const head: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of inputText({ bytes, maxBytes: Infinity }, encoding)) {
    head.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(head);
}
