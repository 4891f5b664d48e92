import type { Format } from '../http/answer.js';
import { CSV_LINE_END, csvNumber, csvText } from './csv.js';

/** An object whose values are texts, numbers, true, false or null. */
type FlatRecord = object;

/**
 * A list of flat records as text, in pieces as the records come. CSV has one column for each of `fields`; true and false stand
 * as such, null as nothing.
 */
export async function* recordParts(
  format: Format,
  fields: readonly string[],
  pieces: AsyncIterable<readonly FlatRecord[]> | Iterable<readonly FlatRecord[]>,
): AsyncGenerator<string> {
  let first = true;
  if (format === 'csv') yield fields.map(csvText).join(',') + CSV_LINE_END;
  if (format === 'json') yield '[';
  for await (const records of pieces) {
    if (records.length === 0) continue;
    if (format === 'csv') yield records.map((record) => csvLine(fields, record)).join('');
    else if (format === 'ndjson') yield records.map((record) => `${JSON.stringify(record)}\n`).join('');
    else yield (first ? '' : ',') + JSON.stringify(records).slice(1, -1);
    first = false;
  }
  if (format === 'json') yield ']';
}

function csvLine(fields: readonly string[], record: FlatRecord): string {
  return fields.map((field) => csvField((record as Record<string, unknown>)[field])).join(',') + CSV_LINE_END;
}

function csvField(value: unknown): string {
  if (typeof value === 'string') return csvText(value);
  return typeof value === 'boolean' ? String(value) : csvNumber((value ?? null) as number | null);
}
