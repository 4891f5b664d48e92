import { parseUnitName, UNIT_DIMENSIONS } from '../../lib/codes/measure-units.js';
import { countryName } from '../../lib/codes/countries.js';
import { monthOf, firstDayOfMonth } from '../../lib/dates/calendar-date.js';
import { unguardedText } from '../../lib/text/csv.js';
import { MONTHLY } from '../../price-series/periodicity.js';
import { pricesCsvColumns, type PricesCsvColumn } from '../../prices/read/prices-csv.js';
import { ImportRejected, type RowViolation } from './batch.js';
import { CommentReader } from './comment-reader.js';
import { columnCountViolation, rejectUnreadable, type CsvFile } from './csv.js';
import {
  choice,
  country,
  currency,
  digits,
  flag,
  numberBetween,
  quantity,
  text,
  type FieldReader,
  type FieldValue,
} from './field-readers.js';
import {
  copyString,
  isNationalAverage,
  MAX_LENGTHS,
  PERIOD_CODES,
  PriceBatch,
  type SeriesDescriptor,
} from './series.js';
import {
  dateViolation,
  numberViolation,
  quantityViolation,
  quoteValue,
  readDay,
  readNumber,
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
  iso3_country_code: country,
  country_name: text(MAX_LENGTHS.country_name),
  market: text(MAX_LENGTHS.market),
  market_type: text(MAX_LENGTHS.market_type),
  market_code: text(MAX_LENGTHS.code),
  market_info: text(MAX_LENGTHS.info),
  admin_unit: text(MAX_LENGTHS.admin_unit),
  admin_unit2: text(MAX_LENGTHS.admin_unit2),
  latitude: numberBetween(-90, 90),
  longitude: numberBetween(-180, 180),
  regional_average: flag,
  commodity: text(MAX_LENGTHS.commodity),
  hs_code: digits('^[0-9]{2,12}$'),
  category: text(MAX_LENGTHS.category),
  price_type: text(MAX_LENGTHS.price_type, true),
  source: text(MAX_LENGTHS.source),
  source_url: text(MAX_LENGTHS.url),
  source_license: text(MAX_LENGTHS.license),
  currency,
  measure_unit: text(MAX_LENGTHS.measure_unit),
  measure_unit_dimension: choice(UNIT_DIMENSIONS),
  conversion_factor: quantity,
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The accepted columns, for error messages. */
export const PRICES_LAYOUT = `CSV with the columns ${pricesCsvColumns
  .map((column) => (REQUIRED_COLUMNS.includes(column) ? column : `[${column}]`))
  .join(',')}`;

/**
 * Reads the service's own CSV of prices. Optional columns may be missing, and columns may be in any
 * order.
 * @throws ImportRejected for any other layout
 */
export async function* readPrices(file: CsvFile): AsyncGenerator<PriceBatch> {
  const { header } = file;
  const isColumn = (column: string): column is PricesCsvColumn =>
    (pricesCsvColumns as readonly string[]).includes(column);
  if (
    !header.every(isColumn) ||
    !REQUIRED_COLUMNS.every((column) => header.includes(column)) ||
    new Set(header).size !== header.length
  ) {
    throw new ImportRejected(`The input is not in the format prices. Accepted: ${PRICES_LAYOUT}.`);
  }
  const positions = new Map<PricesCsvColumn, number>(header.map((column, position) => [column, position]));
  const seriesByKey = new Map<string, SeriesDescriptor | RowViolation>();
  const comments = new CommentReader('comment');
  for await (const chunk of file.batches()) {
    const batch = new PriceBatch('price_value');
    batch.read = chunk.records.length;
    rejectUnreadable(batch, chunk);
    for (const [index, record] of chunk.records.entries()) {
      const line = chunk.lines[index]!;
      if (record.length !== header.length) {
        batch.reject(line, columnCountViolation(header.length, record.length));
        continue;
      }
      const field = (column: PricesCsvColumn) => {
        const position = positions.get(column);
        return position === undefined ? '' : unguardedText(record[position]!);
      };
      const calculated = field('calculated').trim().toLowerCase();
      if (calculated === 'true' || calculated === '1') {
        batch.skip('calculated');
        continue;
      }
      const point = readPoint(field, batch);
      if ('reason' in point) {
        batch.reject(line, point);
        continue;
      }
      const key = field('uuid') || IDENTITY_COLUMNS.map(field).join('\n');
      let series = seriesByKey.get(key);
      if (series === undefined)
        seriesByKey.set(copyString(key), (series = readSeries(field, positions, batch)));
      const comment = comments.read(field('comment'));
      if ('reason' in series) batch.reject(line, series);
      else if (typeof comment !== 'string') batch.reject(line, comment);
      else batch.rows.push({ line, series, ...point, comment, calculated: false, forecast: false });
    }
    yield batch;
  }
}

function readPoint(field: (column: PricesCsvColumn) => string, batch: PriceBatch) {
  const period = PERIOD_CODES.get(field('periodicity').trim().toLowerCase());
  if (period === undefined) {
    const detail = `periodicity must be daily, weekly or monthly, not ${quoteValue(field('periodicity'))}.`;
    return { field: 'periodicity', reason: 'invalid_choice', detail };
  }
  const day = readDay(field('date').trim());
  if (day === null) return dateViolation('date', field('date'));
  if (period === MONTHLY && firstDayOfMonth(monthOf(day)) !== day) {
    const detail = `date must be the 1st of the month for a monthly price, not ${field('date')}.`;
    return { field: 'date', reason: 'invalid_date', detail };
  }
  const price = readNumber(field('price_value'));
  if (price === null) return numberViolation('price_value', field('price_value'));
  const violation = quantityViolation('price_value', price.value, field('price_value'));
  if (violation !== null) return violation;
  if (price.rounded) batch.rounded++;
  return { period, day, value: price.value };
}

function readSeries(
  field: (column: PricesCsvColumn) => string,
  positions: ReadonlyMap<PricesCsvColumn, number>,
  batch: PriceBatch,
): SeriesDescriptor | RowViolation {
  const values = {} as Record<PricesCsvColumn, FieldValue | undefined>;
  for (const [column, read] of Object.entries(SERIES_READERS) as [PricesCsvColumn, FieldReader][]) {
    const text = field(column);
    if (text.trim() === '') {
      if (REQUIRED_COLUMNS.includes(column))
        return { field: column, reason: 'required', detail: `${column} is required.` };
      continue;
    }
    const result = read(text, column);
    if ('reason' in result) return result;
    if (result.rounded) batch.rounded++;
    values[column] = typeof result.value === 'string' ? copyString(result.value) : result.value;
  }
  const uuid = field('uuid').trim().toLowerCase();
  if (uuid !== '' && !UUID.test(uuid))
    return { field: 'uuid', reason: 'invalid_uuid', detail: `uuid must be a UUID, not ${quoteValue(uuid)}.` };
  const textOf = (column: PricesCsvColumn) => (values[column] ?? '') as string;
  const numberOf = (column: PricesCsvColumn) => (values[column] ?? null) as number | null;
  const meaning = positions.has('measure_unit_dimension')
    ? {
        dimension: (textOf('measure_unit_dimension') ||
          'other') as SeriesDescriptor['measure_unit']['dimension'],
        conversion_factor: numberOf('conversion_factor'),
      }
    : parseUnitName(textOf('measure_unit'));
  return {
    uuid: uuid === '' ? null : copyString(uuid),
    market: {
      iso3_country_code: textOf('iso3_country_code'),
      country_name: textOf('country_name') || countryName(textOf('iso3_country_code')),
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
