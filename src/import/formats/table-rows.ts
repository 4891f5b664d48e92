import { countryName } from '../../lib/codes/countries.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { normalizeText } from '../../lib/text/normalize-text.js';
import { Batch, type RowViolation } from './batch.js';
import {
  countryViolation,
  currencyViolation,
  dateViolation,
  numberViolation,
  quantityViolation,
  quoteValue,
  readCountry,
  readCurrency,
  readDay,
  readNumber,
  textViolation,
} from './values.js';
import { MAX_LENGTHS } from './series.js';

export type TableName = 'PriceType' | 'FxRate' | 'Cpi' | 'Market' | 'Commodity' | 'Source' | 'MeasureUnit';
export type FieldValue = string | number | boolean | null;

/** A record of a reference table: the validated fields of the input, by their read names. */
export interface TableRow {
  readonly line: number;
  readonly values: Readonly<Record<string, FieldValue>>;
  /** Defaults of a new record that depend on its other fields. */
  readonly defaults?: Readonly<Record<string, FieldValue>>;
}

/** Records of one reference table. */
export class RecordBatch extends Batch<TableRow> {
  readonly kind = 'records';

  constructor(readonly table: ImportTable) {
    super();
  }
}

/** A value as read, or why it is rejected. */
type FieldResult = { readonly value: FieldValue; readonly rounded?: boolean } | RowViolation;

interface FieldReader {
  readonly required?: boolean;
  /** The value of a blank field, and of a new record where the input has no such column. */
  readonly defaultValue: FieldValue;
  read: (text: string, column: string) => FieldResult;
}

/** The import's definition of a reference table. */
export interface ImportTable {
  readonly name: TableName;
  readonly unique: readonly string[];
  readonly fields: Readonly<Record<string, FieldReader>>;
  /** Validates fields in combination. */
  check?(values: Readonly<Record<string, FieldValue>>): RowViolation | null;
  /** Defaults of a new record that depend on its other fields. */
  defaults?(values: Readonly<Record<string, FieldValue>>): Record<string, FieldValue>;
}

const text = (maxLength: number): FieldReader => ({
  defaultValue: '',
  read: (raw, column) => {
    const value = normalizeText(raw, maxLength);
    return textViolation(column, value, maxLength) ?? { value };
  },
});

const number = (min: number, max: number): FieldReader => ({
  defaultValue: null,
  read: (raw, column) => {
    const read = readNumber(raw);
    if (read === null) return numberViolation(column, raw);
    if (read.value >= min && read.value <= max) return read;
    return { field: column, reason: 'out_of_range', detail: `${column} must be between ${min} and ${max}.` };
  },
});

const positive: FieldReader = {
  defaultValue: null,
  read: (raw, column) => {
    const read = readNumber(raw);
    if (read === null) return numberViolation(column, raw);
    return quantityViolation(column, read.value, raw) ?? read;
  },
};

/** A number that is 0 or greater. */
const nonNegative: FieldReader = {
  defaultValue: null,
  read: (raw, column) => {
    const read = readNumber(raw);
    if (read === null) return numberViolation(column, raw);
    if (read.value < 0)
      return { field: column, reason: 'out_of_range', detail: `${column} must be 0 or greater.` };
    return read.value === 0 ? read : (quantityViolation(column, read.value, raw) ?? read);
  },
};

const choice = (defaultValue: string, allowed: readonly string[]): FieldReader => ({
  defaultValue,
  read: (raw, column) => {
    const value = raw.trim().toLowerCase();
    if (allowed.includes(value)) return { value };
    return {
      field: column,
      reason: 'invalid_choice',
      detail: `${column} must be ${allowed.join(' or ')}, not ${quoteValue(raw)}.`,
    };
  },
});

const flag: FieldReader = {
  defaultValue: false,
  read: (raw, column) => {
    const value = raw.trim().toLowerCase();
    if (['true', '1'].includes(value)) return { value: true };
    if (['false', '0'].includes(value)) return { value: false };
    return {
      field: column,
      reason: 'invalid_boolean',
      detail: `${column} must be true or false, not ${quoteValue(raw)}.`,
    };
  },
};

const country: FieldReader = {
  defaultValue: '',
  read: (raw, column) => {
    const value = readCountry(raw);
    return value === null ? countryViolation(column, raw) : { value };
  },
};

const currency: FieldReader = {
  defaultValue: '',
  read: (raw, column) => {
    const value = readCurrency(raw);
    return value === null ? currencyViolation(column, raw) : { value };
  },
};

const date: FieldReader = {
  defaultValue: '',
  read: (raw, column) => {
    const day = readDay(raw.trim());
    return day === null ? dateViolation(column, raw) : { value: isoFromDay(day) };
  },
};

const hsCode: FieldReader = {
  defaultValue: null,
  read: (raw, column) => {
    const value = raw.trim();
    if (/^\d{2,12}$/.test(value)) return { value };
    return {
      field: column,
      reason: 'invalid_hs_code',
      detail: `${column} must be 2 to 12 digits, not ${quoteValue(raw)}.`,
    };
  },
};

const required = (field: FieldReader): FieldReader => ({ ...field, required: true });

function checkFirstOfMonth(
  record: string,
  values: Readonly<Record<string, FieldValue>>,
): RowViolation | null {
  if (String(values.date).endsWith('-01')) return null;
  return {
    field: 'date',
    reason: 'invalid_date',
    detail: `date must be the 1st of the month for ${record}, not ${String(values.date)}.`,
  };
}

const tables: readonly ImportTable[] = [
  {
    name: 'PriceType',
    unique: ['name'],
    fields: {
      name: {
        required: true,
        defaultValue: '',
        // FPMA clients send and compare upper-case names.
        read: (raw, column) => {
          const value = normalizeText(raw, MAX_LENGTHS.price_type).toUpperCase();
          return textViolation(column, value, MAX_LENGTHS.price_type) ?? { value };
        },
      },
      description: text(500),
    },
  },
  {
    name: 'FxRate',
    unique: ['currency', 'rate_type', 'period', 'date'],
    fields: {
      currency: required(currency),
      date: required(date),
      period: choice('monthly', ['daily', 'monthly']),
      rate: required(positive),
      rate_type: choice('official', ['official', 'parallel']),
    },
    check: (values) => (values.period === 'monthly' ? checkFirstOfMonth('a monthly rate', values) : null),
  },
  {
    name: 'Cpi',
    unique: ['iso3_country_code', 'item', 'base_period', 'date'],
    fields: {
      iso3_country_code: required(country),
      date: required(date),
      item: choice('general', ['general', 'food']),
      value: required(nonNegative),
      base_period: required(text(20)),
    },
    check: (values) => checkFirstOfMonth('an index', values),
  },
  {
    name: 'Market',
    unique: ['iso3_country_code', 'admin_unit', 'admin_unit2', 'name'],
    fields: {
      name: required(text(MAX_LENGTHS.market)),
      type: text(MAX_LENGTHS.market_type),
      code: text(MAX_LENGTHS.code),
      iso3_country_code: required(country),
      country_name: text(MAX_LENGTHS.country_name),
      admin_unit: text(MAX_LENGTHS.admin_unit),
      admin_unit2: text(MAX_LENGTHS.admin_unit2),
      latitude: number(-90, 90),
      longitude: number(-180, 180),
      info: text(MAX_LENGTHS.info),
      regional_average: flag,
    },
    defaults: (values) => ({ country_name: countryName(String(values.iso3_country_code)) }),
  },
  {
    name: 'Commodity',
    unique: ['name'],
    fields: {
      name: required(text(MAX_LENGTHS.commodity)),
      hs_code: hsCode,
      category: text(MAX_LENGTHS.category),
    },
  },
  {
    name: 'Source',
    unique: ['name'],
    fields: {
      name: required(text(MAX_LENGTHS.source)),
      url: text(MAX_LENGTHS.url),
      license: text(MAX_LENGTHS.license),
    },
  },
  {
    name: 'MeasureUnit',
    unique: ['name'],
    fields: {
      name: required(text(MAX_LENGTHS.measure_unit)),
      dimension: choice('other', ['mass', 'volume', 'count', 'other']),
      conversion_factor: positive,
    },
  },
];

/** The reference tables by their path names. */
export const importTables = Object.fromEntries(tables.map((table) => [table.name, table])) as Record<
  TableName,
  ImportTable
>;

/**
 * Validates a record.
 * @param raw the fields of the input by their read names; a blank field has its default value
 * @param onRounded called for each number with more than 15 digits
 */
export function validateRow(
  table: ImportTable,
  line: number,
  raw: Readonly<Record<string, string>>,
  onRounded: () => void,
): TableRow | RowViolation {
  const values: Record<string, FieldValue> = {};
  const blanks: string[] = [];
  for (const [name, field] of Object.entries(table.fields)) {
    const text = raw[name];
    if (text === undefined || text.trim() === '') {
      if (field.required) return { field: name, reason: 'required', detail: `${name} is required.` };
      // A missing column does not change an existing record, but a missing key column has its
      // default.
      if (text !== undefined || table.unique.includes(name)) values[name] = field.defaultValue;
      if (text !== undefined) blanks.push(name);
      continue;
    }
    const result = field.read(text, name);
    if ('reason' in result) return result;
    if (result.rounded) onRounded();
    values[name] = result.value;
  }
  const violation = table.check?.(values) ?? null;
  if (violation !== null) return violation;
  const defaults = table.defaults?.(values);
  if (defaults === undefined) return { line, values };
  for (const name of blanks) if (defaults[name] !== undefined) values[name] = defaults[name];
  return { line, values, defaults };
}
