import { importMode } from '../ledger/corrections/correction.js';
import { reasonParameter } from '../ledger/changes/change-reason.js';
import { ValidationError, type Violation } from '../platform/errors/api-error.js';
import {
  choice,
  flag,
  iso3,
  one,
  ParseError,
  text,
  type ValueParser,
} from '../platform/validation/parsers.js';
import type { QueryValues } from '../platform/validation/query-schema.js';
import { encodingOf } from './containers/text-encoding.js';
import { DATE_ORDERS } from './formats/convention/date-order.js';
import { DECIMAL_SIGNS } from './formats/convention/number-signs.js';
import { MAX_LENGTHS } from './formats/series.js';
import { importFormats } from './formats/index.js';
import type { ImportRequest } from './import.service.js';
import { isMappingName } from './mappings/mapping.js';
import type { MappingStore, StoredMapping } from './mappings/stored/mapping-store.js';

/** The name of an encoding, for any of its labels. */
const encoding: ValueParser<string> = {
  parse: (label) =>
    encodingOf(label) ??
    new ParseError('invalid_choice', 'must be the label of an encoding, such as windows-1251.'),
  schema: { type: 'string', maxLength: 50 },
};

const formatNames = Object.keys(importFormats);
const builtInFormat = choice(formatNames);

/** The names of the formats of the service, and what a request may name besides, for its errors. */
export const acceptedFormats = {
  allowed: formatNames,
  words: `one of ${formatNames.join(', ')}, or the name of a stored mapping`,
} as const;

/** A format of the service, or what can be the name of a mapping that is stored. */
const format: ValueParser<string> = {
  parse(value, context) {
    const found = builtInFormat.parse(value, context);
    if (!(found instanceof ParseError)) return found;
    const name = value.toLowerCase();
    return isMappingName(name) ? name : unknownFormat;
  },
  schema: { type: 'string', maxLength: 50 },
};

const unknownFormat = new ParseError('invalid_choice', `must be ${acceptedFormats.words}.`, {
  allowed: acceptedFormats.allowed,
});

/**
 * The stored mapping that a format is; null for a format of the service.
 * @throws ValidationError where none has the name
 */
export async function storedMappingOf(
  name: string,
  mappings: Pick<MappingStore, 'find'>,
): Promise<StoredMapping | null> {
  if (Object.hasOwn(importFormats, name)) return null;
  const stored = await mappings.find(name);
  if (stored !== null) return stored;
  const { code, reason, extras } = unknownFormat;
  throw new ValidationError([{ in: 'query', name: 'format', code, detail: `format ${reason}`, ...extras }]);
}

/** How an input is imported, as requests and forms say it. */
export const importParameters = {
  format: one(format, `Format of the body, required: ${acceptedFormats.words}.`),
  country: one(
    iso3,
    'Country of a wfp or prices input without a column of countries; rows of another one are rejected.',
  ),
  source: one(
    text(200),
    'Source of a wfp, fx or cpi input, in place of the one that it is known by: "World Food Programme (WFP)", …; or of a prices input without a column of sources.',
  ),
  price_type: one(
    text(MAX_LENGTHS.price_type),
    'Type of the prices of a prices input without a column of types, such as RETAIL or WHOLESALE.',
  ),
  period: one(
    choice(['daily', 'weekly', 'monthly'] as const),
    'Frequency of the prices of a wfp input, required if they are not dated the 15th, and of a prices input without a column of frequencies; `daily` or `monthly` also of an fx input without one; `monthly` of any that looks like one of years or quarters.',
  ),
  decimal: one(
    choice(DECIMAL_SIGNS),
    'Decimal sign of the numbers that are texts, as all of a CSV input are; required where none of them shows it.',
  ),
  dates: one(
    choice(DATE_ORDERS),
    'Order of year, month and day in the dates that are texts, as all of a CSV input are; required where none of them shows it.',
  ),
  invert: one(flag, 'The rates of an fx input are dollars for a unit: store 1 ÷ rate.'),
  file: one(text(1000), 'Name of the file of a zip archive; required of one with several files of data.'),
  sheet: one(
    text(100),
    'Name of the sheet of a workbook; required where several have a table of the format.',
  ),
  encoding: one(
    encoding,
    'Encoding of the input by its label in the Encoding Standard, such as windows-1251; by default UTF-8, or UTF-16 where it is recognised.',
  ),
  include_forecast: one(flag, 'Also store forecasts.'),
  overrule_corrections: one(flag, 'Store the values of the file where corrections stand, and end these.'),
  fill_only: one(flag, 'Only add points and records; change none that is stored.'),
  replace: one(flag, 'Also change rates and indices of other sources.'),
  reason: reasonParameter,
};

/** The values of `importParameters`. */
export type ImportValues = QueryValues<typeof importParameters>;

/** What a request or a form says of an import, besides the format. */
type RequestedImport = Required<Pick<ImportRequest, 'options' | 'reason' | 'mode' | 'replace'>>;

/** @throws ValidationError for modes that exclude each other */
export function requestedImport(values: ImportValues): RequestedImport {
  const mode = importMode(values);
  if (mode === null) throw new ValidationError(conflictingModes);
  const { country, source, price_type: priceType, period, decimal, dates, invert } = values;
  const { encoding, file, sheet, include_forecast: includeForecast } = values;
  const reading = { file, sheet, encoding, decimal, dates };
  const options = { ...reading, country, source, priceType, period, invert, includeForecast };
  return { options, reason: values.reason ?? '', mode, replace: values.replace ?? false };
}

const conflictingModes: Violation[] = ['overrule_corrections', 'fill_only'].map((name) => ({
  in: 'query',
  name,
  code: 'conflicting_fields',
  detail: 'overrule_corrections and fill_only exclude each other.',
}));
