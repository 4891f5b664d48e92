import { createReadStream } from 'node:fs';
import { decompress } from '../../import/pipeline/input.js';

/** Bytes that are read to recognise a file: more than the first element of a long JSON list. */
const READ_BYTES = 4 * 1024 * 1024;
const HEAD_BYTES = 1024 * 1024;

/**
 * The begin of a file, decompressed.
 * @throws ImportRejected for damaged gzip
 */
export async function headOf(path: string): Promise<Buffer> {
  const bytes = createReadStream(path, { end: READ_BYTES - 1 });
  const head: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of decompress({ bytes, maxBytes: Infinity })) {
    head.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(head);
}
