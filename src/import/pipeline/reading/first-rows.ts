import { isoFromDay } from '../../../lib/dates/calendar-date.js';
import { PERIOD_NAMES } from '../../../price-series/periodicity.js';
import type { PriceRow } from '../../formats/series.js';
import type { RecordBatch } from '../../formats/table-rows.js';

/** Rows of an input that its report shows. */
export const SHOWN_ROWS = 10;
/** The same where a mapping reads it, which somebody may just have written; no report has more. */
export const MAX_FIRST_ROWS = 50;

/** An accepted row of an input as it is read: its fields that have a value, as texts. */
export interface FirstRow {
  readonly line: number;
  /** Path segment of the table; null for a price. */
  readonly table: string | null;
  readonly values: Readonly<Record<string, string>>;
}

/** A price with what describes its series, by the columns of the CSV of prices. */
export function firstPrice({ line, series, period, day, value, comment }: PriceRow): FirstRow {
  const point = { date: isoFromDay(day), periodicity: PERIOD_NAMES[period], price_value: value, comment };
  if (!('market' in series)) return { line, table: null, values: textsOf({ uuid: series.uuid, ...point }) };
  const { market, commodity } = series;
  const values = textsOf({
    iso3_country_code: market.iso3_country_code,
    country_name: market.country_name,
    admin_unit: market.admin_unit,
    admin_unit2: market.admin_unit2,
    market: market.name,
    commodity: commodity.name,
    price_type: series.price_type,
    source: series.source.name,
    currency: series.currency,
    measure_unit: series.measure_unit.name,
    ...point,
  });
  return { line, table: null, values };
}

/** The first records of a batch, by the fields of their table. */
export const firstRecords = ({ table, rows }: RecordBatch): FirstRow[] =>
  rows
    .slice(0, MAX_FIRST_ROWS)
    .map(({ line, values }) => ({ line, table: table.name, values: textsOf(values) }));

const textsOf = (
  values: Readonly<Record<string, string | number | boolean | null>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null || value === '' ? [] : [[name, String(value)]],
    ),
  );
