import { QUANTITY } from '../../lib/numbers/quantity.js';
import { isMissingName, isMissingValue } from '../../lib/text/missing-values.js';
import type { Field, FieldKind } from '../../platform/validation/field.js';
import type { FieldError } from '../../reference/base/record-errors.js';
import type { ReferenceTable } from '../../reference/base/reference-table.js';
import { Batch, type RowViolation } from './batch.js';
import {
  choiceOf,
  codeUpTo,
  readCountry,
  readCurrency,
  readDate,
  readFlag,
  readHsCode,
  missing,
  readNumber,
  numberBetween,
  readQuantity,
  readQuantityOrZero,
  quoteValue,
  textUpTo,
  type FieldReader,
  type FieldValue,
} from './values.js';

/** A record of a reference table: the validated fields of the input, by their read names. */
export interface TableRecord {
  readonly line: number;
  readonly values: Readonly<Record<string, FieldValue>>;
  /** Defaults of a new record that depend on its other fields. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** What the input calls the country of a market; absent where it has only the code. */
  readonly country_text?: string;
}

/** Records of one reference table. */
export class RecordBatch extends Batch<TableRecord> {
  readonly kind = 'records';

  constructor(readonly table: ReferenceTable) {
    super();
  }
}

/** Kinds of fields that no reference table has beside its id, which imports ignore. */
type UnreadKind = 'id' | 'integer' | 'uuid' | 'verbatim' | 'instant' | 'json';

/** Makes the reader of a field, by its kind. */
const readers: Readonly<Record<Exclude<FieldKind, UnreadKind>, (field: Field) => FieldReader>> = {
  text: ({ schema, imports, isCode }) =>
    isCode ? codeUpTo(schema.maxLength!) : textUpTo(schema.maxLength!, imports === 'in upper case'),
  digits: () => readHsCode,
  choice: ({ schema }) => choiceOf(schema.enum!),
  date: () => readDate,
  country: () => readCountry,
  currency: () => readCurrency,
  decimal: ({ schema: { minimum, maximum } }) => {
    if (minimum === 0) return readQuantityOrZero;
    if (minimum === QUANTITY.atLeast) return readQuantity;
    return minimum === undefined || maximum === undefined ? readNumber : numberBetween(minimum, maximum);
  },
  flag: () => readFlag,
};

/** The reader of a field as its DTO describes it: it rejects what the API rejects. */
export function readerOf(field: Field): FieldReader {
  const read = readers[field.kind as keyof typeof readers](field);
  return (raw, column) => {
    const result = read(raw, column);
    if ('reason' in result) return result;
    const error = field.check(result.value);
    return error === null ? result : fieldViolation({ field: column, error }, raw);
  };
}

function fieldViolation({ field, error }: FieldError, value: unknown): RowViolation {
  const expected = error.reason.replace(/\.$/, '');
  return { field, reason: error.code, detail: `${field} ${expected}, not ${quoteValue(String(value))}.` };
}

/** Tables whose records may really be called `None` or `nan`. */
const TABLES_WITH_ANY_NAME: readonly string[] = ['Market', 'Commodity'];

/**
 * The fields of a table in which marks for missing values, such as `n/a`, are read as blank: those
 * that may be blank, and required texts. Each has the test of whether a text is such a mark, which
 * in names of markets and commodities no word is.
 */
export const fieldsWithMissingValues = ({
  name: table,
  fields,
}: ReferenceTable): ReadonlyMap<string, (text: string) => boolean> =>
  new Map(
    [...fields].flatMap(([name, { required, kind }]) => {
      if (name === 'name' && TABLES_WITH_ANY_NAME.includes(table)) return [[name, isMissingName]];
      return !required || kind === 'text' ? [[name, isMissingValue]] : [];
    }),
  );

/** Validates the records of a table. */
export class RowReader {
  private readonly fields: readonly { name: string; required: boolean; isKey: boolean; read: FieldReader }[];

  constructor(readonly table: ReferenceTable) {
    const { uniqueKey } = table.statements;
    this.fields = [...table.fields].map(([name, field]) => ({
      name,
      required: field.required,
      isKey: uniqueKey.includes(name),
      read: readerOf(field),
    }));
  }

  /**
   * @param raw the fields of the input by their read names; a blank field has its default value
   * @param batch gets the count of rounded numbers, and the values that were read as others
   */
  read(line: number, raw: Readonly<Record<string, string>>, batch: RecordBatch): TableRecord | RowViolation {
    const { entity } = this.table.dto;
    const defaultValues = this.table.defaults as Record<string, FieldValue>;
    const values: Record<string, FieldValue> = {};
    const blankFields: string[] = [];
    for (const { name, required, isKey, read } of this.fields) {
      const text = raw[name];
      if (text === undefined || text.trim() === '') {
        if (required) return missing(name);
        const hasColumn = text !== undefined;
        // A column that the input lacks does not change a stored record; but the key, by which the
        // record is found, has to be complete.
        if (hasColumn || isKey) values[name] = defaultValues[name]!;
        if (hasColumn) blankFields.push(name);
        continue;
      }
      const result = read(text, name);
      if ('reason' in result) return result;
      if (required && result.value === '') return missing(name);
      if (result.rounded) batch.rounded++;
      if (result.replaced)
        batch.replaced.add({ column: name, value: text.trim(), read_as: String(result.value) });
      values[name] = result.value;
    }
    const [invalid] = entity.validate({ ...defaultValues, ...values } as never);
    if (invalid) return fieldViolation(invalid, values[invalid.field]);
    // These are for new records alone: a blank cell must not replace what is stored by a default.
    const defaults = entity.defaults(values);
    for (const name of blankFields) if (defaults !== undefined && name in defaults) delete values[name];
    return { line, values, defaults };
  }
}
