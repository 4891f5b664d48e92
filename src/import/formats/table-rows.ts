import { countryName } from '../../common/codes/countries.js';
import { isoFromDay } from '../../common/dates/calendar-date.js';
import { cleanText } from '../../common/text/clean-text.js';
import { Batch, type RowFault } from './batch.js';
import {
  amountFault,
  countryFault,
  currencyFault,
  dateFault,
  numberFault,
  readCountry,
  readCurrency,
  readDay,
  readNumber,
  shown,
  textFault,
} from './values.js';
import { LENGTHS } from './series.js';

export type TableName = 'PriceType' | 'FxRate' | 'Cpi' | 'Market' | 'Commodity' | 'Source' | 'MeasureUnit';
export type FieldValue = string | number | boolean | null;

/** A record of a reference table: the fields that the input gives, checked, by their read names. */
export interface TableRow {
  readonly line: number;
  readonly values: Readonly<Record<string, FieldValue>>;
  /** Values that only a new record gets: defaults that depend on other fields. */
  readonly defaults?: Readonly<Record<string, FieldValue>>;
}

/** Records of one reference table. */
export class RecordBatch extends Batch<TableRow> {
  readonly kind = 'records';

  constructor(readonly table: ImportTable) {
    super();
  }
}

/** A value as read, or what is wrong with it. */
type Read = { readonly value: FieldValue; readonly rounded?: boolean } | RowFault;

interface Field {
  readonly required?: boolean;
  /** What a blank stands for, and what is stored where the input has no such column. */
  readonly blank: FieldValue;
  read(text: string, column: string): Read;
}

/** A reference table as an import sees it. */
export interface ImportTable {
  readonly name: TableName;
  readonly unique: readonly string[];
  readonly fields: Readonly<Record<string, Field>>;
  /** What the fields must be together. */
  check?(values: Readonly<Record<string, FieldValue>>): RowFault | null;
  /** Defaults that depend on other fields. */
  defaults?(values: Readonly<Record<string, FieldValue>>): Record<string, FieldValue>;
}

const text = (longest: number): Field => ({
  blank: '',
  read: (raw, column) => {
    const value = cleanText(raw, longest);
    return textFault(column, value, longest) ?? { value };
  },
});

const number = (least: number, most: number): Field => ({
  blank: null,
  read: (raw, column) => {
    const read = readNumber(raw);
    if (read === null) return numberFault(column, raw);
    if (read.value >= least && read.value <= most) return read;
    return { field: column, reason: 'out_of_range', detail: `${column} must be from ${least} to ${most}.` };
  },
});

const positive: Field = {
  blank: null,
  read: (raw, column) => {
    const read = readNumber(raw);
    if (read === null) return numberFault(column, raw);
    return amountFault(column, read.value, raw) ?? read;
  },
};

/** A number above 0, or 0. */
const index: Field = {
  blank: null,
  read: (raw, column) => {
    const read = readNumber(raw);
    if (read === null) return numberFault(column, raw);
    if (read.value < 0)
      return { field: column, reason: 'out_of_range', detail: `${column} may not be below 0.` };
    return read.value === 0 ? read : (amountFault(column, read.value, raw) ?? read);
  },
};

const choice = (blank: string, allowed: readonly string[]): Field => ({
  blank,
  read: (raw, column) => {
    const value = raw.trim().toLowerCase();
    if (allowed.includes(value)) return { value };
    return {
      field: column,
      reason: 'invalid_choice',
      detail: `${column} must be ${allowed.join(' or ')}, not ${shown(raw)}.`,
    };
  },
});

const flag: Field = {
  blank: false,
  read: (raw, column) => {
    const value = raw.trim().toLowerCase();
    if (['true', '1'].includes(value)) return { value: true };
    if (['false', '0'].includes(value)) return { value: false };
    return {
      field: column,
      reason: 'invalid_boolean',
      detail: `${column} must be true or false, not ${shown(raw)}.`,
    };
  },
};

const country: Field = {
  blank: '',
  read: (raw, column) => {
    const value = readCountry(raw);
    return value === null ? countryFault(column, raw) : { value };
  },
};

const currency: Field = {
  blank: '',
  read: (raw, column) => {
    const value = readCurrency(raw);
    return value === null ? currencyFault(column, raw) : { value };
  },
};

const date: Field = {
  blank: '',
  read: (raw, column) => {
    const day = readDay(raw.trim());
    return day === null ? dateFault(column, raw) : { value: isoFromDay(day) };
  },
};

const hsCode: Field = {
  blank: null,
  read: (raw, column) => {
    const value = raw.trim();
    if (/^\d{2,12}$/.test(value)) return { value };
    return {
      field: column,
      reason: 'invalid_hs_code',
      detail: `${column} must be 2 to 12 digits, not ${shown(raw)}.`,
    };
  },
};

const required = (field: Field): Field => ({ ...field, required: true });

function firstOfMonth(what: string, values: Readonly<Record<string, FieldValue>>): RowFault | null {
  if (String(values.date).endsWith('-01')) return null;
  return {
    field: 'date',
    reason: 'invalid_date',
    detail: `${what} is dated the 1st of its month, not ${String(values.date)}.`,
  };
}

const tables: readonly ImportTable[] = [
  {
    name: 'PriceType',
    unique: ['name'],
    fields: {
      name: {
        required: true,
        blank: '',
        // Clients of FPMA send and compare upper-case names.
        read: (raw, column) => {
          const value = cleanText(raw, LENGTHS.price_type).toUpperCase();
          return textFault(column, value, LENGTHS.price_type) ?? { value };
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
    check: (values) => (values.period === 'monthly' ? firstOfMonth('A monthly rate', values) : null),
  },
  {
    name: 'Cpi',
    unique: ['iso3_country_code', 'item', 'base_period', 'date'],
    fields: {
      iso3_country_code: required(country),
      date: required(date),
      item: choice('general', ['general', 'food']),
      value: required(index),
      base_period: required(text(20)),
    },
    check: (values) => firstOfMonth('An index', values),
  },
  {
    name: 'Market',
    unique: ['iso3_country_code', 'admin_unit', 'admin_unit2', 'name'],
    fields: {
      name: required(text(LENGTHS.market)),
      type: text(LENGTHS.market_type),
      code: text(LENGTHS.code),
      iso3_country_code: required(country),
      country_name: text(LENGTHS.country_name),
      admin_unit: text(LENGTHS.admin_unit),
      admin_unit2: text(LENGTHS.admin_unit2),
      latitude: number(-90, 90),
      longitude: number(-180, 180),
      info: text(LENGTHS.info),
      regional_average: flag,
    },
    defaults: (values) => ({ country_name: countryName(String(values.iso3_country_code)) }),
  },
  {
    name: 'Commodity',
    unique: ['name'],
    fields: { name: required(text(LENGTHS.commodity)), hs_code: hsCode, category: text(LENGTHS.category) },
  },
  {
    name: 'Source',
    unique: ['name'],
    fields: { name: required(text(LENGTHS.source)), url: text(LENGTHS.url), license: text(LENGTHS.license) },
  },
  {
    name: 'MeasureUnit',
    unique: ['name'],
    fields: {
      name: required(text(LENGTHS.measure_unit)),
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
 * Checks a record.
 * @param raw the fields that the input has, by their read names; a blank stands for the field's default
 * @param rounded told for each number that had more than 15 digits
 */
export function checkedRow(
  table: ImportTable,
  line: number,
  raw: Readonly<Record<string, string>>,
  rounded: () => void,
): TableRow | RowFault {
  const values: Record<string, FieldValue> = {};
  const blanks: string[] = [];
  for (const [name, field] of Object.entries(table.fields)) {
    const text = raw[name];
    if (text === undefined || text.trim() === '') {
      if (field.required) return { field: name, reason: 'required', detail: `${name} is empty.` };
      // A column that the input lacks says nothing about a record that exists; part of its key it is all the same.
      if (text !== undefined || table.unique.includes(name)) values[name] = field.blank;
      if (text !== undefined) blanks.push(name);
      continue;
    }
    const read = field.read(text, name);
    if ('reason' in read) return read;
    if (read.rounded) rounded();
    values[name] = read.value;
  }
  const fault = table.check?.(values) ?? null;
  if (fault !== null) return fault;
  const defaults = table.defaults?.(values);
  if (defaults === undefined) return { line, values };
  for (const name of blanks) if (defaults[name] !== undefined) values[name] = defaults[name];
  return { line, values, defaults };
}
