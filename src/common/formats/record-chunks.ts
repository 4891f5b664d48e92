import type { Format } from '../http/reply.js';
import { CSV_LINE_END, csvLine, csvText, type CsvValue } from './csv.js';

/** An object whose values are strings, numbers, booleans or null. */
type FlatRecord = object;

/**
 * Serializes batches of flat records, one chunk of text per batch. CSV has one column for each of
 * `fields`, with null as an empty field.
 */
export async function* recordChunks(
  format: Format,
  fields: readonly string[],
  batches: AsyncIterable<readonly FlatRecord[]> | Iterable<readonly FlatRecord[]>,
): AsyncGenerator<string> {
  let first = true;
  if (format === 'csv') yield fields.map(csvText).join(',') + CSV_LINE_END;
  if (format === 'json') yield '[';
  for await (const records of batches) {
    if (records.length === 0) continue;
    if (format === 'csv') yield records.map((record) => csvLine(valuesOf(fields, record))).join('');
    else if (format === 'ndjson') yield records.map((record) => `${JSON.stringify(record)}\n`).join('');
    else yield (first ? '' : ',') + JSON.stringify(records).slice(1, -1);
    first = false;
  }
  if (format === 'json') yield ']';
}

function valuesOf(fields: readonly string[], record: FlatRecord): CsvValue[] {
  return fields.map((field) => (record as Record<string, CsvValue | undefined>)[field] ?? null);
}
