import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { RejectedRow } from '../../src/import/formats/batch.js';
import { importFormats, type ReaderBatch, type ImportOptions } from '../../src/import/formats/index.js';
import { createInput, inputText } from '../../src/import/pipeline/input.js';

/**
 * The path of a fixture: `ok` has valid inputs, `not-ok` inputs that are rejected or have bad rows.
 */
export function fixture(name: string): string {
  return resolve(import.meta.dirname, '../fixtures/import', name);
}

/** Text or bytes in chunks of `length` bytes. */
export async function* chunksOf(
  content: string | Uint8Array,
  length = 64 * 1024,
): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

/** All batches of a reader together. */
export interface ReadResult<Row> {
  read: number;
  rows: Row[];
  rejects: RejectedRow[];
  skipped: Record<string, number>;
  rounded: number;
}

/** Collects the batches of a reader. */
export async function collect<B extends ReaderBatch>(
  batches: AsyncIterable<B>,
): Promise<ReadResult<B['rows'][number]>> {
  const collected: ReadResult<B['rows'][number]> = {
    read: 0,
    rows: [],
    rejects: [],
    skipped: {},
    rounded: 0,
  };
  for await (const batch of batches) {
    collected.read += batch.read;
    for (const row of batch.rows) collected.rows.push(row);
    for (const reject of batch.rejects) collected.rejects.push(reject);
    for (const [reason, count] of batch.skipped)
      collected.skipped[reason] = (collected.skipped[reason] ?? 0) + count;
    collected.rounded += batch.rounded;
  }
  return collected;
}

/** Reads a file by a format, as the import does. */
export async function readFile(format: string, path: string, options: ImportOptions = {}) {
  const input = createInput(createReadStream(path), path.slice(path.lastIndexOf('/') + 1), null);
  return collect(importFormats[format]!(inputText(input, options), { fileName: input.name, ...options }));
}
