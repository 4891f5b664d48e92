import { hasSmallNumbers } from '../../import/formats/table-reader.js';
import { ValidationError, type Violation } from '../../platform/errors/api-error.js';
import type { Field } from '../../platform/validation/field.js';
import { parseJson } from '../../platform/validation/json-text.js';
import type { ReferenceTable } from '../../reference/base/reference-table.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { openReading, readTypedNumber } from '../layout/typed-numbers.js';
import type { DeskTable } from './desk-tables.js';

/** Texts of a form by read field; a field that is missing is not to be changed. */
export type FormValues = Readonly<Record<string, string>>;

/** A number as JSON writes it. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A value as its field shows it; '' for null. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The texts of a record, or of the defaults of a new one. */
export function recordTexts({ fields }: ReferenceTable, record: RecordValues): FormValues {
  return Object.fromEntries([...fields.keys()].map((name) => [name, textOf(record[name])]));
}

/** The texts of the fields that a form has sent. */
export function sentTexts({ fields }: ReferenceTable, form: URLSearchParams): FormValues {
  const sent = [...fields.keys()].filter((name) => form.has(name));
  return Object.fromEntries(sent.map((name) => [name, form.get(name)!]));
}

/** The fields whose text is another one than that of the record. */
export function changedTexts(table: ReferenceTable, record: RecordValues, sent: FormValues): FormValues {
  const stored = recordTexts(table, record);
  return Object.fromEntries(
    Object.entries(sent).filter(([name, text]) => text.trim() !== stored[name]!.trim()),
  );
}

/**
 * The body of the API's request that says the same as a form. Numbers go through JSON, so that
 * digits which a double does not hold are noticed as they are in the API.
 * @throws ValidationError for numbers that may be two
 */
export function bodyOf(fields: ReadonlyMap<string, Field>, texts: FormValues): Record<string, unknown> {
  const open: Violation[] = [];
  const members = Object.entries(texts).flatMap(([name, text]) => {
    const field = fields.get(name)!;
    const read = field.kind === 'decimal' ? readTypedNumber(text, hasSmallNumbers(field)) : text;
    if (typeof read !== 'string') {
      open.push(openReading(name, text, read));
      return [];
    }
    const json = jsonOf(field, read);
    return json === null ? [] : [`${JSON.stringify(name)}:${json}`];
  });
  if (open.length > 0) throw new ValidationError(open);
  return parseJson(`{${members.join(',')}}`) as Record<string, unknown>;
}

/** The JSON of a value; null where an empty text says that the field is left out. */
function jsonOf({ kind, nullable, required }: Field, text: string): string | null {
  const trimmed = text.trim();
  if (kind === 'text' || kind === 'verbatim') return JSON.stringify(text);
  if (trimmed === '') return nullable ? 'null' : required && kind !== 'decimal' ? '""' : null;
  if (kind === 'flag' && (trimmed === 'true' || trimmed === 'false')) return trimmed;
  if ((kind === 'decimal' || kind === 'id') && JSON_NUMBER.test(trimmed)) return trimmed;
  return JSON.stringify(text);
}

/** Violations under the names of a form's fields, which are those of the read form. */
export const underReadNames = (
  { table: { dto } }: Pick<DeskTable, 'table'>,
  errors: readonly Violation[],
): Violation[] => errors.map((error) => ({ ...error, name: dto.reads[error.name ?? ''] ?? error.name }));
