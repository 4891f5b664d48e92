import { unitMeaning } from '../../common/codes/measure-units.js';
import { countryName } from '../../common/codes/countries.js';
import { monthOf, firstDayOfMonth } from '../../common/dates/calendar-date.js';
import { unguardedText } from '../../common/formats/csv.js';
import { MONTHLY } from '../../price-series/periodicity.js';
import { pricesCsvColumns, type PricesCsvColumn } from '../../prices/prices-csv.js';
import { ImportRejected, type RowFault } from './batch.js';
import { Comments } from './comments.js';
import { columnCountFault, rejectUnreadable, type CsvFile } from './csv.js';
import { isNationalAverage, ownCopy, PERIOD_CODES, PriceBatch, type SeriesDescriptor } from './series.js';
import { importTables, type FieldValue } from './table-rows.js';
import { amountFault, dateFault, numberFault, readDay, readNumber, shown } from './values.js';

const REQUIRED: readonly PricesCsvColumn[] = [
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

/** Columns by which rows without a uuid belong to one series. */
const IDENTITY: readonly PricesCsvColumn[] = [
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

/** Which field of which reference table each column is. */
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

/** One line on what the reader takes, for refusals. */
export const PRICES_KNOWN = `CSV with the columns ${pricesCsvColumns
  .map((column) => (REQUIRED.includes(column) ? column : `[${column}]`))
  .join(',')}`;

/**
 * Reads the service's own CSV of prices. Columns may be left out where they are not required, and come in any order.
 * @throws ImportRefused for another layout
 */
export async function* readPrices(file: CsvFile): AsyncGenerator<PriceBatch> {
  const { header } = file;
  const isKnown = (column: string): column is PricesCsvColumn =>
    (pricesCsvColumns as readonly string[]).includes(column);
  if (
    !header.every(isKnown) ||
    !REQUIRED.every((column) => header.includes(column)) ||
    new Set(header).size !== header.length
  ) {
    throw new ImportRejected(`The input is not of the format prices. It takes ${PRICES_KNOWN}.`);
  }
  const positions = new Map<PricesCsvColumn, number>(
    header.map((column, position) => [column as PricesCsvColumn, position]),
  );
  const seen = new Map<string, SeriesDescriptor | RowFault>();
  const comments = new Comments('comment');
  for await (const found of file.batches()) {
    const batch = new PriceBatch('price_value');
    batch.read = found.records.length;
    rejectUnreadable(batch, found);
    for (const [index, record] of found.records.entries()) {
      const line = found.lines[index]!;
      if (record.length !== header.length) {
        batch.reject(line, columnCountFault(header.length, record.length));
        continue;
      }
      const field = (column: PricesCsvColumn) => {
        const position = positions.get(column);
        return position === undefined ? '' : unguardedText(record[position]!);
      };
      const mark = field('calculated').trim().toLowerCase();
      if (mark === 'true' || mark === '1') {
        batch.skip('calculated');
        continue;
      }
      const point = readPoint(field, batch);
      if ('reason' in point) {
        batch.reject(line, point);
        continue;
      }
      const key = field('uuid') || IDENTITY.map(field).join('\n');
      let series = seen.get(key);
      if (series === undefined) seen.set(ownCopy(key), (series = describe(field, positions, batch)));
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
    const detail = `periodicity must be daily, weekly or monthly, not ${shown(field('periodicity'))}.`;
    return { field: 'periodicity', reason: 'invalid_choice', detail };
  }
  const day = readDay(field('date').trim());
  if (day === null) return dateFault('date', field('date'));
  if (period === MONTHLY && firstDayOfMonth(monthOf(day)) !== day) {
    const detail = `A monthly price is dated the 1st of its month, not ${field('date')}.`;
    return { field: 'date', reason: 'invalid_date', detail };
  }
  const price = readNumber(field('price_value'));
  if (price === null) return numberFault('price_value', field('price_value'));
  const fault = amountFault('price_value', price.value, field('price_value'));
  if (fault !== null) return fault;
  if (price.rounded) batch.rounded++;
  return { period, day, value: price.value };
}

function describe(
  field: (column: PricesCsvColumn) => string,
  positions: ReadonlyMap<PricesCsvColumn, number>,
  batch: PriceBatch,
): SeriesDescriptor | RowFault {
  const values = {} as Record<PricesCsvColumn, FieldValue>;
  for (const [column, [table, name]] of Object.entries(FIELDS) as [
    PricesCsvColumn,
    [keyof typeof importTables, string],
  ][]) {
    const { blank, required, read } = importTables[table].fields[name]!;
    const text = field(column);
    if (text.trim() === '') {
      if (required) return { field: column, reason: 'required', detail: `${column} is empty.` };
      values[column] = blank;
      continue;
    }
    const found = read(text, column);
    if ('reason' in found) return found;
    if (found.rounded) batch.rounded++;
    values[column] = typeof found.value === 'string' ? ownCopy(found.value) : found.value;
  }
  const uuid = field('uuid').trim().toLowerCase();
  if (uuid !== '' && !UUID.test(uuid))
    return { field: 'uuid', reason: 'invalid_uuid', detail: `${shown(uuid)} is no uuid.` };
  const text = (column: PricesCsvColumn) => values[column] as string;
  const number = (column: PricesCsvColumn) => values[column] as number | null;
  const meaning = positions.has('measure_unit_dimension')
    ? {
        dimension: text('measure_unit_dimension') as SeriesDescriptor['measure_unit']['dimension'],
        conversion_factor: number('conversion_factor'),
      }
    : unitMeaning(text('measure_unit'));
  return {
    uuid: uuid === '' ? null : ownCopy(uuid),
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
