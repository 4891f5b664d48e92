/*
 * CSV as the service writes it: RFC 4180 in UTF-8, lines ending CR LF, no byte order mark. Spreadsheets take a text that begins
 * with certain characters for a formula, so such a text carries one apostrophe in front, which an import takes off.
 */

/** How RFC 4180 ends a line. */
export const CSV_LINE_END = '\r\n';

/** What a spreadsheet may take for the beginning of a formula, and the apostrophe itself, so that taking one off is exact. */
const GUARDED = /^[=+\-@\t\r']/;
const QUOTED = /[",\r\n]/;

/** A text as a CSV field: guarded against being taken for a formula, quoted where it has to be. */
export function csvText(text: string): string {
  const guarded = GUARDED.test(text) ? `'${text}` : text;
  return QUOTED.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** A number as a CSV field: never guarded, a minus sign is no formula; empty for null. */
export function csvNumber(value: number | null): string {
  return value === null ? '' : String(value);
}

/** What stands in a field. */
export type CsvValue = string | number | boolean | null;

/** A value as a CSV field: texts guarded, flags as `true` and `false`, nothing for null. */
export function csvValue(value: CsvValue): string {
  if (typeof value === 'string') return csvText(value);
  return typeof value === 'boolean' ? String(value) : csvNumber(value);
}

/** Values as a line, its end included. */
export function csvLine(values: readonly CsvValue[]): string {
  return values.map(csvValue).join(',') + CSV_LINE_END;
}

/** The text that `csvText` wrote, once the field's quotes are off. */
export function unguardedText(field: string): string {
  return field.startsWith("'") ? field.slice(1) : field;
}
