import { csvLine } from '../common/formats/csv.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import { entryJson, entryOf, type PeriodicityItem, type SeriesEntry } from './price-serie.view.js';

/** Columns of the entry, in its order; periodicity has columns of its own. */
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

/** Daily data are never derived, so there is no column that says so. */
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

/** Lines that are made in one go, between turns of others. */
const LINES_AT_ONCE = 200;

/** Series as a file without an envelope, in parts of some hundred lines. */
export function* seriesRows(
  format: 'csv' | 'ndjson',
  catalogue: CatalogueSnapshot,
  places: Iterable<number>,
): Generator<string> {
  const line = format === 'csv' ? csvLineOf : ndjsonLineOf;
  let part = format === 'csv' ? csvLine([...ENTRY_COLUMNS, ...PERIODICITY_COLUMNS]) : '';
  let lines = 0;
  for (const place of places) {
    part += line(catalogue, place);
    if (++lines % LINES_AT_ONCE > 0) continue;
    yield part;
    part = '';
  }
  yield part;
}

/** A series as a line of CSV. The columns of a period that it has no data of are empty. */
function csvLineOf(catalogue: CatalogueSnapshot, place: number): string {
  const entry = entryOf(catalogue, place);
  const item = (period: PeriodicityItem['period']) =>
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

const ndjsonLineOf = (catalogue: CatalogueSnapshot, place: number) => `${entryJson(catalogue, place)}\n`;

const dates = (item: PeriodicityItem | undefined) => [item?.start_date ?? null, item?.end_date ?? null];

const calculated = (item: PeriodicityItem | undefined) =>
  item === undefined ? null : item.calculated === true;
