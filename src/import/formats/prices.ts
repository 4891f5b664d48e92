import { parseUnitName, UNIT_DIMENSIONS } from '../../lib/codes/measure-units.js';
import {
  countryName,
  countryWords,
  isCountryCode,
  iso3OfForeignName,
  iso3OfName,
  nearestCountry,
  otherCountryOfName,
} from '../../lib/codes/countries.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { unguardedText } from '../../lib/text/csv.js';
import {
  pricesCsvKnownColumns,
  pricesCsvExtraColumns,
  type PricesCsvColumn,
} from '../../prices/read/prices-csv.js';
import { MONTHLY, type PeriodName } from '../../price-series/periodicity.js';
import { PROVISIONAL_STATUS, SERIES_STATUSES, type SeriesStatus } from '../../price-series/series-status.js';
import { isMissingName, isMissingValue } from '../../lib/text/missing-values.js';
import { ImportRejected, type RowViolation } from './batch.js';
import { CommentReader } from './comment-reader.js';
import { Convention, type ConventionColumns, type ConventionOptions } from './convention/convention.js';
import { MonthlyDates, ROWS_MARKED_MONTHLY, ROWS_WITHOUT_FREQUENCY } from './convention/monthly-dates.js';
import { countryOfOption, COUNTRY_QUESTION, otherCountry } from './country-option.js';
import { fieldsUpTo, type TableFile } from '../tables/table-file.js';
import { wrongHeader } from './header-problem.js';
import { optionHint } from './option-hint.js';
import { OTHER_COLUMN_NAMES, isCountryColumn, isMonth, periodOfWord, priceColumnOf } from './other-words.js';
import type { ReplacedValue } from './replaced-values.js';
import {
  copyString,
  isNationalAverage,
  monthlyDayViolation,
  MAX_LENGTHS,
  otherStatus,
  PERIOD_CODES,
  PriceBatch,
  type SeriesDescriptor,
} from './series.js';
import {
  choiceOf,
  codeUpTo,
  readCountry,
  readCurrency,
  readCurrencyOf,
  readDay,
  readFlag,
  readHsCode,
  invalid,
  missing,
  numberBetween,
  quoteValue,
  readQuantity,
  textUpTo,
  readUuid,
  type FieldReader,
  type FieldValue,
} from './values.js';

const REQUIRED_COLUMNS: readonly PricesCsvColumn[] = [
  'iso3_country_code',
  'commodity',
  'price_type',
  'market',
  'source',
  'currency',
  'measure_unit',
  'date',
  'periodicity',
  'price_value',
];

/** Those of the required columns that options can stand for. */
const OPTION_COLUMNS: readonly PricesCsvColumn[] = [
  'iso3_country_code',
  'price_type',
  'source',
  'periodicity',
];

/** Columns that identify the series of a row without a uuid, and what its country is called. */
const IDENTITY_COLUMNS: readonly PricesCsvColumn[] = [
  'iso3_country_code',
  'country_name',
  'admin_unit',
  'admin_unit2',
  'market',
  'commodity',
  'price_type',
  'source',
  'measure_unit',
  'currency',
  'status',
];

/**
 * What the prices of a row are, in our words and by the codes of SDMX's observation status. What is
 * provisional is observed, with a mark.
 */
type PriceStatus = SeriesStatus | typeof PROVISIONAL_STATUS;
const STATUSES: ReadonlyMap<string, PriceStatus> = new Map<string, PriceStatus>([
  ...([...SERIES_STATUSES, PROVISIONAL_STATUS] as const).map((status) => [status, status] as const),
  ['', 'observed'],
  ['a', 'observed'],
  ['p', PROVISIONAL_STATUS],
  ['e', 'estimated'],
  ['f', 'forecast'],
]);

/**
 * The readers of the columns that describe a series. A test holds them to the DTOs of the reference
 * tables that the columns are stored in.
 */
export const SERIES_READERS: Partial<Record<PricesCsvColumn, FieldReader>> = {
  iso3_country_code: readCountry,
  country_name: textUpTo(MAX_LENGTHS.country_name),
  market: textUpTo(MAX_LENGTHS.market),
  market_type: textUpTo(MAX_LENGTHS.market_type),
  market_code: codeUpTo(MAX_LENGTHS.code),
  market_info: textUpTo(MAX_LENGTHS.info),
  admin_unit: textUpTo(MAX_LENGTHS.admin_unit),
  admin_unit2: textUpTo(MAX_LENGTHS.admin_unit2),
  latitude: numberBetween(-90, 90),
  longitude: numberBetween(-180, 180),
  regional_average: readFlag,
  commodity: textUpTo(MAX_LENGTHS.commodity),
  hs_code: readHsCode,
  category: textUpTo(MAX_LENGTHS.category),
  price_type: textUpTo(MAX_LENGTHS.price_type, true),
  source: textUpTo(MAX_LENGTHS.source),
  source_url: textUpTo(MAX_LENGTHS.url),
  source_license: textUpTo(MAX_LENGTHS.license),
  currency: readCurrency,
  measure_unit: textUpTo(MAX_LENGTHS.measure_unit),
  measure_unit_dimension: choiceOf(UNIT_DIMENSIONS),
  conversion_factor: readQuantity,
};

const CONVENTION_COLUMNS = {
  numbers: ['price_value', 'conversion_factor'],
  smallNumbers: ['latitude', 'longitude'],
  dates: ['date'],
} as const satisfies ConventionColumns & Record<string, readonly PricesCsvColumn[]>;

/** Whether a file has the columns that exports of a service have and people do not write. */
const isOwnExport = (header: readonly string[]): boolean =>
  header.includes('uuid') && header.includes('calculated');

/** How a file of prices is read, and what it does not say itself. */
export interface PricesOptions extends ConventionOptions {
  /** Of rows without one; rows of another one are rejected. */
  readonly country?: string | undefined;
  /** Of rows without one. */
  readonly source?: string | undefined;
  /** Of rows without one. */
  readonly priceType?: string | undefined;
  /** Where no column has it. */
  readonly period?: PeriodName | undefined;
}

/** The accepted columns, for error messages. */
const PRICES_LAYOUT = `CSV with the columns ${pricesCsvKnownColumns
  .map((column) => (REQUIRED_COLUMNS.includes(column) ? column : `[${column}]`))
  .join(',')}`;

/**
 * Reads the service's own CSV of prices. Optional columns may be missing, and columns may be in any
 * order.
 * @throws ImportRejected for any other layout
 */
export function readPrices(file: TableFile, options: PricesOptions): AsyncGenerator<PriceBatch> {
  const { header, required } = columnsOf(file.header);
  const isColumn = (column: string): column is PricesCsvColumn =>
    (pricesCsvKnownColumns as readonly string[]).includes(column) ||
    (pricesCsvExtraColumns as readonly string[]).includes(column);
  if (
    !header.every(isColumn) ||
    !required.every((column) => header.includes(column)) ||
    new Set(header).size !== header.length
  ) {
    const layouts = [{ required, optional: pricesCsvKnownColumns, otherNames: OTHER_COLUMN_NAMES }];
    throw wrongHeader('prices', header, layouts, PRICES_LAYOUT);
  }
  const positions = new Map<PricesCsvColumn, number>(header.map((column, position) => [column, position]));
  const given: GivenValues = {
    iso3_country_code: countryOfOption(options.country?.trim() || undefined) ?? '',
    source: options.source?.trim() ?? '',
    price_type: options.priceType?.trim() ?? '',
  };
  checkOptions(positions, given);
  const country = given.iso3_country_code === '' ? null : given.iso3_country_code;
  const frequency = positions.has('periodicity') ? null : { period: options.period, hasMonths: false };
  const dates = new MonthlyDates(
    'prices',
    isOwnExport(header) ? 'monthly' : options.period,
    frequency === null ? ROWS_MARKED_MONTHLY : ROWS_WITHOUT_FREQUENCY,
  );
  const seriesByKey = new Map<string, ReadSeries>();
  const comments = new CommentReader('comment');
  const create = () => new PriceBatch('price_value');
  const identity = ['uuid' as const, ...IDENTITY_COLUMNS].flatMap((column) => positions.get(column) ?? []);
  const statuses = new Map<string, SeriesStatus>();
  /** Rejects a series whose uuid rows above have with another status. */
  const ofOneStatus = (read: ReadSeries): ReadSeries => {
    const { series } = read;
    if ('reason' in series || series.uuid === null) return read;
    const known = statuses.get(series.uuid) ?? series.status;
    statuses.set(series.uuid, known);
    return known === series.status
      ? read
      : { ...read, series: otherStatus(series.uuid, known, series.status) };
  };
  let lastRecord: readonly string[] | null = null;
  let lastSeries: ReadSeries;
  /** The series of a row: rows of one often follow one another. */
  const seriesOf = (
    record: readonly string[],
    raw: (column: PricesCsvColumn) => string,
    batch: PriceBatch,
  ): ReadSeries => {
    const last = lastRecord;
    if (last !== null && identity.every((index) => record[index] === last[index])) return lastSeries;
    const id = raw('uuid');
    const isNamed = id !== '' && !isMissingValue(id.trim());
    const key = (isNamed ? [id, raw('status')] : IDENTITY_COLUMNS.map(raw)).join('\n');
    let read = seriesByKey.get(key);
    if (read === undefined) {
      read = ofOneStatus(readSeries(raw, positions, country, batch));
      seriesByKey.set(copyString(key), read);
    }
    lastRecord = record;
    return (lastSeries = read);
  };
  const readRecord = (record: string[], line: number, batch: PriceBatch) => {
    const field = (column: PricesCsvColumn) => {
      const position = positions.get(column);
      if (position === undefined) return '';
      return unguardedText(record[position]!);
    };
    const raw = (column: PricesCsvColumn) => {
      const position = positions.get(column);
      const text = position === undefined ? '' : record[position]!;
      if (text !== '') return text;
      return given[column as keyof GivenValues] ?? '';
    };
    const calculated = field('calculated').trim().toLowerCase();
    if (calculated === 'true' || calculated === '1') return batch.skip('calculated');
    const point = readPoint(field, batch, frequency, dates);
    if ('reason' in point) return point;
    const { series, provisional, replaced } = seriesOf(record, raw, batch);
    const comment = comments.read(raw('comment'), batch, field('comment'));
    if ('reason' in series) return series;
    if (typeof comment !== 'string') return comment;
    if (replaced.length > 0) batch.replaced.addAll(replaced);
    const mark = provisional && { provisional };
    batch.rows.push({ line, series, ...point, comment, calculated: false, ...mark });
  };
  const read = file.read(
    create,
    new Convention(
      { header, delimiter: file.delimiter },
      { ...CONVENTION_COLUMNS, hasPoint: isOwnExport(header) },
      options,
    ),
    readRecord,
    fieldsUpTo(header, required),
  );
  return withNote(dates.guard(read), renamedColumns(file.header, header));
}

/**
 * The columns of a file by their names here, and those of them that it must have. Names of
 * countries may stand beside their codes, or alone.
 */
function columnsOf(names: readonly string[]) {
  const known = new Set<string>([...pricesCsvKnownColumns, ...pricesCsvExtraColumns]);
  const header = names.map((name) => (known.has(name) ? name : priceColumnOf(name)));
  const codes = [...header.keys()].filter((index) => header[index] === 'iso3_country_code');
  const nameOf = header.indexOf('country_name');
  const named = codes.filter((index) => isCountryColumn(names[index]!));
  if (codes.length === 0 && nameOf >= 0) header[nameOf] = 'iso3_country_code';
  if (codes.length === 2 && nameOf < 0 && named.length === 1) header[named[0]!] = 'country_name';
  return { header, required: REQUIRED_COLUMNS.filter((column) => !OPTION_COLUMNS.includes(column)) };
}

/** Columns that options stand for, with what is asked where neither is there. */
const UNSTATED = [
  { column: 'iso3_country_code', option: 'country', value: 'CODE', question: COUNTRY_QUESTION },
  {
    column: 'source',
    option: 'source',
    value: 'NAME',
    question: 'No column names the source of the prices.',
  },
  {
    column: 'price_type',
    option: 'price_type',
    value: 'TYPE',
    question: 'No column says of which type the prices are, such as RETAIL or WHOLESALE.',
  },
] as const;

/** The values of these columns as options say them; blank where they do not. */
type GivenValues = Readonly<Record<(typeof UNSTATED)[number]['column'], string>>;

/** @throws ImportRejected for options that are missing or not valid, before any row is read */
function checkOptions(positions: ReadonlyMap<PricesCsvColumn, number>, given: GivenValues): void {
  const questions = UNSTATED.filter(({ column }) => given[column] === '' && !positions.has(column));
  if (questions.length > 0)
    throw new ImportRejected(
      questions
        .map(({ option, value, question }) => `${question} Specify it with ${optionHint(option, [value])}.`)
        .join(' '),
    );
  for (const { column, option } of UNSTATED) {
    const read = given[column] === '' ? null : SERIES_READERS[column]!(given[column], optionHint(option));
    if (read !== null && 'reason' in read) throw new ImportRejected(read.detail);
  }
}

/** A sentence about the columns that have other names in the file; null where none has. */
function renamedColumns(names: readonly string[], header: readonly string[]): string | null {
  const renamed = names.flatMap((name, index) =>
    name === header[index] ? [] : [`${name} as ${header[index]}`],
  );
  return renamed.length === 0 ? null : `Columns are read as others: ${renamed.join(', ')}.`;
}

async function* withNote(
  batches: AsyncIterable<PriceBatch>,
  note: string | null,
): AsyncGenerator<PriceBatch> {
  for await (const batch of batches) {
    if (note !== null) batch.notes = [...batch.notes, note];
    yield batch;
  }
}

/** The frequency of a file in which no column says it. */
interface UnstatedFrequency {
  /** As the option says. */
  readonly period: PeriodName | undefined;
  /** Whether a date before was a month, so that the file has monthly prices. */
  hasMonths: boolean;
}

/**
 * @param unstated null where a column says the frequency
 * @param dates takes the dates of monthly prices
 * @throws ImportRejected where neither the first date nor an option says it, and for values of days
 */
function readPoint(
  field: (column: PricesCsvColumn) => string,
  batch: PriceBatch,
  unstated: UnstatedFrequency | null,
  dates: MonthlyDates,
) {
  const written = field('date').trim();
  const isWholeMonth = isMonth(written);
  if (unstated !== null && unstated.period === undefined && written !== '') {
    if (isWholeMonth) unstated.hasMonths = true;
    else if (unstated.hasMonths) return invalid('date', 'invalid_date', 'a month such as 2023-03', written);
    else throw new ImportRejected(unstatedFrequency(written));
  }
  const name = unstated === null ? periodOfWord(field('periodicity')) : (unstated.period ?? 'monthly');
  const period = PERIOD_CODES.get(name);
  if (period === undefined)
    return invalid('periodicity', 'invalid_choice', 'daily, weekly or monthly', field('periodicity'));
  const isMonthOfPrice = isWholeMonth && period === MONTHLY;
  const date = readDay(isMonthOfPrice ? `${written}-01` : written, 'date', field('date'));
  if ('reason' in date) return date;
  if (period !== MONTHLY) dates.confirmFinerRows();
  else if (!dates.isDecided) dates.add(isoFromDay(date.value));
  const violation = monthlyDayViolation(period, date.value, field('date'));
  if (violation) return violation;
  const price = readQuantity(field('price_value'), 'price_value');
  if ('reason' in price) return price;
  if (price.rounded) batch.rounded++;
  return { period, day: date.value, value: price.value };
}

const unstatedFrequency = (date: string): string =>
  `No column says the frequency of the prices, and ${quoteValue(date)} is no month such as 2023-03. Specify ` +
  `${optionHint('period', ['monthly', 'weekly', 'daily'])}.`;

/** The series of a row, and which of its values were read as others. */
interface ReadSeries {
  readonly series: SeriesDescriptor | RowViolation;
  /** Whether its rows are of provisional prices. */
  readonly provisional: boolean;
  readonly replaced: readonly ReplacedValue[];
}

/** The texts that a market or commodity may really have. */
const ANY_NAME: readonly PricesCsvColumn[] = ['market', 'commodity'];

/**
 * @param raw the fields as in the file
 * @param country that of the option; null without it
 */
function readSeries(
  raw: (column: PricesCsvColumn) => string,
  positions: ReadonlyMap<PricesCsvColumn, number>,
  country: string | null,
  batch: PriceBatch,
): ReadSeries {
  const replaced: ReplacedValue[] = [];
  const field = (column: PricesCsvColumn) => {
    const value = raw(column).trim();
    const isMissing = ANY_NAME.includes(column) ? isMissingName(value) : isMissingValue(value);
    const isCode = value === 'NA' && column === 'iso3_country_code';
    if (!isMissing || isCode) return unguardedText(raw(column));
    replaced.push({ column, value: copyString(value), read_as: '' });
    return '';
  };
  const series = describeSeries(field, positions, batch, replaced);
  const found = 'reason' in series ? null : series.market.iso3_country_code;
  const isOther = country !== null && found !== null && found !== country;
  return {
    series: isOther ? otherCountry('iso3_country_code', found, country) : series,
    provisional: STATUSES.get(field('status').trim().toLowerCase()) === PROVISIONAL_STATUS,
    replaced,
  };
}

/** Reads a column, the currency and the country also as people call them. @param iso3 of the row */
function readWithCountry(column: PricesCsvColumn, read: FieldReader, text: string, iso3: string) {
  if (column === 'currency') return readCurrencyOf(text, column, iso3);
  const result = read(text, column);
  if (column !== 'iso3_country_code') return result;
  if (!('reason' in result) && isCountryCode(String(result.value))) return result;
  const named = iso3OfName(text) ?? iso3OfForeignName(text);
  if (named !== null) return { value: named, replaced: true };
  const nearest = 'reason' in result ? nearestCountry(text) : null;
  if (nearest === null) return result;
  const detail = `${quoteValue(text)} is not a known country name. Probably ${nearest.name} (${nearest.iso3}) is meant.`;
  return { field: column, reason: 'unknown_country', detail };
}

/** The violation of a row whose country has the code of one and the name of another. */
const otherName = (text: string, named: string, iso3: string): RowViolation => ({
  field: 'country_name',
  reason: 'other_country',
  detail: `country_name ${quoteValue(text)} is ${countryWords(named)}, but iso3_country_code is ${countryWords(iso3)}.`,
});

/** @param replaced takes what was read as something else */
function describeSeries(
  field: (column: PricesCsvColumn) => string,
  positions: ReadonlyMap<PricesCsvColumn, number>,
  batch: PriceBatch,
  replaced: ReplacedValue[],
): SeriesDescriptor | RowViolation {
  const values = {} as Record<PricesCsvColumn, FieldValue | undefined>;
  for (const [column, read] of Object.entries(SERIES_READERS) as [PricesCsvColumn, FieldReader][]) {
    let text = field(column);
    // A name stands for the code that is not given; NA may be Namibia's.
    if (column === 'iso3_country_code' && ['', 'NA'].includes(text.trim()))
      text = field('country_name').trim() || text;
    if (text.trim() === '') {
      if (REQUIRED_COLUMNS.includes(column)) return missing(column);
      continue;
    }
    const result = readWithCountry(column, read, text, (values.iso3_country_code ?? '') as string);
    if ('reason' in result) return result;
    if (result.rounded) batch.rounded++;
    if (result.replaced)
      replaced.push({ column, value: copyString(text.trim()), read_as: copyString(String(result.value)) });
    values[column] = typeof result.value === 'string' ? copyString(result.value) : result.value;
  }
  const statusText = field('status').trim();
  const status = STATUSES.get(statusText.toLowerCase());
  if (status === undefined)
    return invalid(
      'status',
      'invalid_choice',
      `${[...SERIES_STATUSES, PROVISIONAL_STATUS].join(', ')}, or A, P, E or F`,
      statusText,
    );
  const uuidText = field('uuid').trim();
  const id = uuidText === '' ? { value: null } : readUuid(uuidText, 'uuid');
  if ('reason' in id) return id;
  const textOf = (column: PricesCsvColumn) => (values[column] ?? '') as string;
  const numberOf = (column: PricesCsvColumn) => (values[column] ?? null) as number | null;
  const meaning = positions.has('measure_unit_dimension')
    ? {
        dimension: (textOf('measure_unit_dimension') ||
          'other') as SeriesDescriptor['measure_unit']['dimension'],
        conversion_factor: numberOf('conversion_factor'),
      }
    : parseUnitName(textOf('measure_unit'));
  const countryText = textOf('country_name');
  const named = id.value === null ? otherCountryOfName(countryText, textOf('iso3_country_code')) : null;
  if (named !== null) return otherName(countryText, named, textOf('iso3_country_code'));
  const isoName = countryName(textOf('iso3_country_code'));
  return {
    uuid: id.value && copyString(id.value),
    ...(countryText === '' ? {} : { country_text: countryText }),
    market: {
      iso3_country_code: textOf('iso3_country_code'),
      // Rows with uuids are an export of a service, where maintainers have named the country.
      country_name: id.value === null ? isoName || countryText : countryText || isoName,
      admin_unit: textOf('admin_unit'),
      admin_unit2: textOf('admin_unit2'),
      name: textOf('market'),
      type: textOf('market_type'),
      code: textOf('market_code'),
      info: textOf('market_info'),
      latitude: numberOf('latitude'),
      longitude: numberOf('longitude'),
      regional_average: positions.has('regional_average')
        ? values.regional_average === true
        : isNationalAverage(textOf('market')),
    },
    commodity: {
      name: textOf('commodity'),
      hs_code: (values.hs_code ?? null) as string | null,
      category: textOf('category'),
    },
    price_type: textOf('price_type'),
    source: { name: textOf('source'), url: textOf('source_url'), license: textOf('source_license') },
    measure_unit: { name: textOf('measure_unit'), ...meaning },
    currency: textOf('currency'),
    status: status === PROVISIONAL_STATUS ? 'observed' : status,
  };
}
