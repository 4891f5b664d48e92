import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Reject } from '../../src/import/formats/batch.js';
import { importFormats, type ImportBatch, type ImportOptions } from '../../src/import/formats/index.js';
import { makeInput, unpack } from '../../src/import/input.js';

/** The path of a small input of ours: `ok` holds what is taken, `not-ok` what is refused or holds faults. */
export function fixture(name: string): string {
  return resolve(import.meta.dirname, '../fixtures/import', name);
}

/** Text or bytes as an input of so many bytes at a time. */
export async function* chunksOf(
  content: string | Uint8Array,
  length = 64 * 1024,
): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

/** All that a reader finds. */
export interface Found<Row> {
  read: number;
  rows: Row[];
  rejects: Reject[];
  skipped: Record<string, number>;
  rounded: number;
}

/** Collects the batches of a reader. */
export async function collect<B extends ImportBatch>(
  batches: AsyncIterable<B>,
): Promise<Found<B['rows'][number]>> {
  const found: Found<B['rows'][number]> = { read: 0, rows: [], rejects: [], skipped: {}, rounded: 0 };
  for await (const batch of batches) {
    found.read += batch.read;
    for (const row of batch.rows) found.rows.push(row);
    for (const reject of batch.rejects) found.rejects.push(reject);
    for (const [reason, count] of batch.skipped) found.skipped[reason] = (found.skipped[reason] ?? 0) + count;
    found.rounded += batch.rounded;
  }
  return found;
}

/** Reads a file by a format, as the import does. */
export async function readFile(format: string, path: string, options: ImportOptions = {}) {
  const input = makeInput(createReadStream(path), path.slice(path.lastIndexOf('/') + 1), null);
  return collect(importFormats[format]!(unpack(input), { fileName: input.name, ...options }));
}
