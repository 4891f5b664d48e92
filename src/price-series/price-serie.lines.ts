import { csvLine } from '../common/formats/csv.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import { entryJson, entryOf, type ServedPeriodicityItem, type SeriesEntry } from './price-serie.view.js';

/** The entry's fields, in its order; periodicity is flattened to columns of its own. */
const ENTRY_COLUMNS = [
  'uuid',
  'iso3_country_code',
  'country_name',
  'commodity',
  'commodity_id',
  'hs_code',
  'category',
  'price_type',
  'price_type_id',
  'market',
  'market_id',
  'market_type',
  'admin_unit',
  'admin_unit2',
  'latitude',
  'longitude',
  'source',
  'source_id',
  'currency',
  'measure_unit',
  'measure_unit_id',
  'conversion_factor',
  'regional_average',
  'last_price_date',
] as const satisfies readonly (keyof SeriesEntry)[];

/** Daily data are never derived, so there is no `daily_calculated`. */
const PERIODICITY_COLUMNS = [
  'daily_start',
  'daily_end',
  'weekly_start',
  'weekly_end',
  'weekly_calculated',
  'monthly_start',
  'monthly_end',
  'monthly_calculated',
];

/** Lines in a chunk: other requests get a turn between chunks. */
const LINES_PER_CHUNK = 200;

/** Series as the lines of a CSV or NDJSON file, in chunks. */
export function* seriesLines(
  format: 'csv' | 'ndjson',
  catalogue: CatalogueSnapshot,
  rows: Iterable<number>,
): Generator<string> {
  const line = format === 'csv' ? csvLineOf : ndjsonLineOf;
  let chunk = format === 'csv' ? csvLine([...ENTRY_COLUMNS, ...PERIODICITY_COLUMNS]) : '';
  let lines = 0;
  for (const row of rows) {
    chunk += line(catalogue, row);
    if (++lines % LINES_PER_CHUNK > 0) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** A series as a CSV line. The columns of a period without data are empty. */
function csvLineOf(catalogue: CatalogueSnapshot, row: number): string {
  const entry = entryOf(catalogue, row);
  const item = (period: ServedPeriodicityItem['period']) =>
    entry.periodicity.find((each) => each.period === period);
  const [daily, weekly, monthly] = [item('daily'), item('weekly'), item('monthly')];
  return csvLine([
    ...ENTRY_COLUMNS.map((column) => entry[column]),
    ...dates(daily),
    ...dates(weekly),
    calculated(weekly),
    ...dates(monthly),
    calculated(monthly),
  ]);
}

const ndjsonLineOf = (catalogue: CatalogueSnapshot, row: number) => `${entryJson(catalogue, row)}\n`;

const dates = (item: ServedPeriodicityItem | undefined) => [item?.start_date ?? null, item?.end_date ?? null];

const calculated = (item: ServedPeriodicityItem | undefined) =>
  item === undefined ? null : item.calculated === true;
