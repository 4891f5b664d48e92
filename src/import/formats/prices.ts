import { parseUnitName } from '../../lib/codes/measure-units.js';
import { countryName } from '../../lib/codes/countries.js';
import { monthOf, firstDayOfMonth } from '../../lib/dates/calendar-date.js';
import { unguardedText } from '../../lib/text/csv.js';
import { MONTHLY } from '../../price-series/periodicity.js';
import { pricesCsvColumns, type PricesCsvColumn } from '../../prices/read/prices-csv.js';
import { ImportRejected, type RowViolation } from './batch.js';
import { CommentReader } from './comment-reader.js';
import { columnCountViolation, rejectUnreadable, type CsvFile } from './csv.js';
import { copyString, isNationalAverage, PERIOD_CODES, PriceBatch, type SeriesDescriptor } from './series.js';
import { importTables, type FieldValue } from './table-rows.js';
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

/** The reference table and field that each column is stored in. */
const FIELDS: Partial<Record<PricesCsvColumn, readonly [keyof typeof importTables, string]>> = {
  iso3_country_code: ['Market', 'iso3_country_code'],
  country_name: ['Market', 'country_name'],
  market: ['Market', 'name'],
  market_type: ['Market', 'type'],
  market_code: ['Market', 'code'],
  market_info: ['Market', 'info'],
  admin_unit: ['Market', 'admin_unit'],
  admin_unit2: ['Market', 'admin_unit2'],
  latitude: ['Market', 'latitude'],
  longitude: ['Market', 'longitude'],
  regional_average: ['Market', 'regional_average'],
  commodity: ['Commodity', 'name'],
  hs_code: ['Commodity', 'hs_code'],
  category: ['Commodity', 'category'],
  price_type: ['PriceType', 'name'],
  source: ['Source', 'name'],
  source_url: ['Source', 'url'],
  source_license: ['Source', 'license'],
  currency: ['FxRate', 'currency'],
  measure_unit: ['MeasureUnit', 'name'],
  measure_unit_dimension: ['MeasureUnit', 'dimension'],
  conversion_factor: ['MeasureUnit', 'conversion_factor'],
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
  const values = {} as Record<PricesCsvColumn, FieldValue>;
  for (const [column, [table, name]] of Object.entries(FIELDS) as [
    PricesCsvColumn,
    [keyof typeof importTables, string],
  ][]) {
    const { defaultValue, required, read } = importTables[table].fields[name]!;
    const text = field(column);
    if (text.trim() === '') {
      if (required) return { field: column, reason: 'required', detail: `${column} is required.` };
      values[column] = defaultValue;
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
  const text = (column: PricesCsvColumn) => values[column] as string;
  const number = (column: PricesCsvColumn) => values[column] as number | null;
  const meaning = positions.has('measure_unit_dimension')
    ? {
        dimension: text('measure_unit_dimension') as SeriesDescriptor['measure_unit']['dimension'],
        conversion_factor: number('conversion_factor'),
      }
    : parseUnitName(text('measure_unit'));
  return {
    uuid: uuid === '' ? null : copyString(uuid),
    market: {
      iso3_country_code: text('iso3_country_code'),
      country_name: text('country_name') || countryName(text('iso3_country_code')),
      admin_unit: text('admin_unit'),
      admin_unit2: text('admin_unit2'),
      name: text('market'),
      type: text('market_type'),
      code: text('market_code'),
      info: text('market_info'),
      latitude: number('latitude'),
      longitude: number('longitude'),
      regional_average: positions.has('regional_average')
        ? values.regional_average === true
        : isNationalAverage(text('market')),
    },
    commodity: {
      name: text('commodity'),
      hs_code: values.hs_code as string | null,
      category: text('category'),
    },
    price_type: text('price_type'),
    source: { name: text('source'), url: text('source_url'), license: text('source_license') },
    measure_unit: { name: text('measure_unit'), ...meaning },
    currency: text('currency'),
  };
}
