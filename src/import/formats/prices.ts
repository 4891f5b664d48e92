import { parseUnitName, UNIT_DIMENSIONS } from '../../lib/codes/measure-units.js';
import { countryName } from '../../lib/codes/countries.js';
import { unguardedText } from '../../lib/text/csv.js';
import {
  pricesCsvColumns,
  pricesCsvExtraColumns,
  type PricesCsvColumn,
} from '../../prices/read/prices-csv.js';
import { isMissingName, isMissingValue } from '../../lib/text/missing-values.js';
import type { RowViolation } from './batch.js';
import { CommentReader } from './comment-reader.js';
import { Convention, type ConventionColumns, type ConventionOptions } from './convention/convention.js';
import { type CsvFile, fieldsUpTo } from './csv.js';
import { wrongHeader } from './header-problem.js';
import type { ReplacedValue } from './replaced-values.js';
import {
  copyString,
  isNationalAverage,
  monthlyDayViolation,
  MAX_LENGTHS,
  PERIOD_CODES,
  PriceBatch,
  type SeriesDescriptor,
} from './series.js';
import {
  choiceOf,
  codeUpTo,
  readCountry,
  readCurrency,
  readDay,
  readFlag,
  readHsCode,
  invalid,
  missing,
  numberBetween,
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

/** Columns that identify the series of a row without a uuid. */
const IDENTITY_COLUMNS: readonly PricesCsvColumn[] = [
  'iso3_country_code',
  'admin_unit',
  'admin_unit2',
  'market',
  'commodity',
  'price_type',
  'source',
  'measure_unit',
  'currency',
];

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

/** The accepted columns, for error messages. */
export const PRICES_LAYOUT = `CSV with the columns ${pricesCsvColumns
  .map((column) => (REQUIRED_COLUMNS.includes(column) ? column : `[${column}]`))
  .join(',')}`;

/**
 * Reads the service's own CSV of prices. Optional columns may be missing, and columns may be in any
 * order.
 * @throws ImportRejected for any other layout
 */
export function readPrices(file: CsvFile, options: ConventionOptions): AsyncGenerator<PriceBatch> {
  const { header } = file;
  const isColumn = (column: string): column is PricesCsvColumn =>
    (pricesCsvColumns as readonly string[]).includes(column) ||
    (pricesCsvExtraColumns as readonly string[]).includes(column);
  if (
    !header.every(isColumn) ||
    !REQUIRED_COLUMNS.every((column) => header.includes(column)) ||
    new Set(header).size !== header.length
  ) {
    const layouts = [{ required: REQUIRED_COLUMNS, optional: pricesCsvColumns }];
    throw wrongHeader('prices', header, layouts, PRICES_LAYOUT);
  }
  const positions = new Map<PricesCsvColumn, number>(header.map((column, position) => [column, position]));
  const seriesByKey = new Map<string, ReadSeries>();
  const comments = new CommentReader('comment');
  const create = () => new PriceBatch('price_value');
  const readRecord = (record: string[], line: number, batch: PriceBatch) => {
    const field = (column: PricesCsvColumn) => {
      const position = positions.get(column);
      return position === undefined ? '' : unguardedText(record[position]!);
    };
    const raw = (column: PricesCsvColumn) => {
      const position = positions.get(column);
      return position === undefined ? '' : record[position]!;
    };
    const calculated = field('calculated').trim().toLowerCase();
    if (calculated === 'true' || calculated === '1') return batch.skip('calculated');
    const point = readPoint(field, batch);
    if ('reason' in point) return point;
    const id = raw('uuid');
    const key = id === '' || isMissingValue(id.trim()) ? IDENTITY_COLUMNS.map(raw).join('\n') : id;
    let read = seriesByKey.get(key);
    if (read === undefined) seriesByKey.set(copyString(key), (read = readSeries(raw, positions, batch)));
    const { series, replaced } = read;
    const comment = comments.read(raw('comment'), batch, field('comment'));
    if ('reason' in series) return series;
    if (typeof comment !== 'string') return comment;
    if (replaced.length > 0) batch.replaced.addAll(replaced);
    batch.rows.push({ line, series, ...point, comment, calculated: false, forecast: false });
  };
  return file.read(
    create,
    new Convention(file, { ...CONVENTION_COLUMNS, hasPoint: isOwnExport(header) }, options),
    readRecord,
    fieldsUpTo(header, REQUIRED_COLUMNS),
  );
}

function readPoint(field: (column: PricesCsvColumn) => string, batch: PriceBatch) {
  const period = PERIOD_CODES.get(field('periodicity').trim().toLowerCase());
  if (period === undefined)
    return invalid('periodicity', 'invalid_choice', 'daily, weekly or monthly', field('periodicity'));
  const date = readDay(field('date').trim(), 'date', field('date'));
  if ('reason' in date) return date;
  const violation = monthlyDayViolation(period, date.value, field('date'));
  if (violation) return violation;
  const price = readQuantity(field('price_value'), 'price_value');
  if ('reason' in price) return price;
  if (price.rounded) batch.rounded++;
  return { period, day: date.value, value: price.value };
}

/** The series of a row, and which of its values were read as others. */
interface ReadSeries {
  readonly series: SeriesDescriptor | RowViolation;
  readonly replaced: readonly ReplacedValue[];
}

/** The texts that a market or commodity may really have. */
const ANY_NAME: readonly PricesCsvColumn[] = ['market', 'commodity'];

/** @param raw the fields as in the file */
function readSeries(
  raw: (column: PricesCsvColumn) => string,
  positions: ReadonlyMap<PricesCsvColumn, number>,
  batch: PriceBatch,
): ReadSeries {
  const replaced: ReplacedValue[] = [];
  const field = (column: PricesCsvColumn) => {
    const value = raw(column).trim();
    const isMissing = ANY_NAME.includes(column) ? isMissingName(value) : isMissingValue(value);
    if (!isMissing) return unguardedText(raw(column));
    replaced.push({ column, value: copyString(value), read_as: '' });
    return '';
  };
  return { series: describeSeries(field, positions, batch, replaced), replaced };
}

/** @param replaced takes what was read as something else */
function describeSeries(
  field: (column: PricesCsvColumn) => string,
  positions: ReadonlyMap<PricesCsvColumn, number>,
  batch: PriceBatch,
  replaced: ReplacedValue[],
): SeriesDescriptor | RowViolation {
  const values = {} as Record<PricesCsvColumn, FieldValue | undefined>;
  for (const [column, read] of Object.entries(SERIES_READERS) as [PricesCsvColumn, FieldReader][]) {
    const text = field(column);
    if (text.trim() === '') {
      if (REQUIRED_COLUMNS.includes(column)) return missing(column);
      continue;
    }
    const result = read(text, column);
    if ('reason' in result) return result;
    if (result.rounded) batch.rounded++;
    if (result.replaced)
      replaced.push({ column, value: copyString(text.trim()), read_as: copyString(String(result.value)) });
    values[column] = typeof result.value === 'string' ? copyString(result.value) : result.value;
  }
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
  };
}
