import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isPacked } from '../../import/containers/unpack.js';
import { inputHeads } from '../../import/pipeline/input-heads.js';

/** Bytes that are read to recognise a file: more than the first element of a long JSON list. */
const READ_BYTES = 4 * 1024 * 1024;

/** Bytes by which a packed file is recognised. */
const SIGNATURE_BYTES = 4;

/**
 * The begin of the text of a file, in UTF-8; null for archives and workbooks, which may have to be
 * read to their end.
 * @param encoding as for `inputText`
 * @throws ImportRejected for files that no format reads, by name
 */
export async function headOf(path: string, encoding?: string): Promise<Uint8Array | null> {
  const file = await open(path);
  const signature = Buffer.alloc(SIGNATURE_BYTES);
  await file.read(signature).finally(() => file.close());
  if (isPacked(signature)) return null;
  const bytes = createReadStream(path, { end: READ_BYTES - 1 });
  const { heads } = await inputHeads(bytes, { encoding });
  return heads[0]!;
}
