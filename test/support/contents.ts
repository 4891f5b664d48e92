import type { Database } from '../../src/database/database.js';

/** The columns of the tables that an import may change, without revisions. */
const TABLES = {
  price_type: 'id, name, description, version',
  source: 'id, name, url, license, version',
  measure_unit: 'id, name, dimension, conversion_factor, version',
  commodity: 'id, name, hs_code, category, version',
  market:
    'id, name, type, code, iso3_country_code, country_name, admin_unit, admin_unit2, latitude, longitude, info, regional_average, version',
  fx_rate: 'id, currency, date, period, rate, rate_type, source, version',
  cpi: 'id, iso3_country_code, date, item, value, base_period, source, version',
  price_serie:
    'id, uuid, commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency, marked_periods, status',
  series_period: 'serie_id, period, start_day, end_day, calculated, points',
  observation: 'serie_id, period, day, value, calculated, comment, provisional',
};

/** All tables that an import may change, without revisions. */
export async function contentsOf(database: Database): Promise<Record<string, unknown[][]>> {
  const contents: Record<string, unknown[][]> = {};
  for (const [table, columns] of Object.entries(TABLES))
    contents[table] = await database.arrays(`SELECT ${columns} FROM ${table} ORDER BY 1, 2, 3`);
  return contents;
}
