import { isMissingValue } from './missing-values.js';

/*
 * CSV as the service writes it: RFC 4180 in UTF-8, lines ending in CR LF, no byte order mark.
 * Spreadsheets run a text that begins with certain characters as a formula, so such a text is
 * prefixed with an apostrophe, which imports remove. So is a text that programs take for a missing
 * value: a name that really is `None` stays one.
 */

/** The end of a line in RFC 4180. */
export const CSV_LINE_END = '\r\n';

/**
 * First characters of formulas, full-width ones too, which East Asian spreadsheets read alike, and
 * the apostrophe itself, so that removing the prefix is lossless.
 */
const GUARDED = /^[=+\-@＝＋－＠\t\r']/;
const isGuarded = (text: string): boolean => GUARDED.test(text) || isMissingValue(text);
const QUOTED = /[",\r\n]/;

/** A text as a CSV field: guarded against being read as something else, quoted if necessary. */
export function csvText(text: string): string {
  const guarded = isGuarded(text) ? `'${text}` : text;
  return QUOTED.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** A number as a CSV field, empty for null. Not guarded: a minus sign is not a formula here. */
export function csvNumber(value: number | null): string {
  return value === null ? '' : String(value);
}

/** A value of a CSV field. */
type CsvValue = string | number | boolean | null;

/** A value as a CSV field: texts guarded, booleans as `true` and `false`, null empty. */
export function csvValue(value: CsvValue): string {
  if (typeof value === 'string') return csvText(value);
  return typeof value === 'boolean' ? String(value) : csvNumber(value);
}

/** Values as a line, including its end. */
export function csvLine(values: readonly CsvValue[]): string {
  return values.map(csvValue).join(',') + CSV_LINE_END;
}

/** The text that `csvText` guarded; the field must already be unquoted. */
export function unguardedText(field: string): string {
  // An apostrophe before any other character is the text's own: the file is of another origin.
  return field.startsWith("'") && isGuarded(field.slice(1)) ? field.slice(1) : field;
}
