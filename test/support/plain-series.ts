import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import type { Database } from '../../src/database/database.js';

/** A series as the API shows it, built from one plain join without any code of the service. */
export type PlainEntry = Record<string, unknown> & { uuid: string; iso3_country_code: string };

/** All series, in the order of the lists. */
export async function plainEntries(database: Database): Promise<PlainEntry[]> {
  const rows = await database.rows<Record<string, string | number | null>>(
    `SELECT s.id AS serie_id, s.uuid, m.iso3_country_code, m.country_name, c.name AS commodity, c.id AS commodity_id, c.hs_code,
      c.category, t.name AS price_type, t.id AS price_type_id, m.name AS market, m.id AS market_id, m.type AS market_type,
      m.admin_unit, m.admin_unit2, m.latitude, m.longitude, o.name AS source, o.id AS source_id, s.currency,
      u.name AS measure_unit, u.id AS measure_unit_id, u.conversion_factor, m.regional_average
    FROM price_serie s JOIN market m ON m.id = s.market_id JOIN commodity c ON c.id = s.commodity_id
    JOIN price_type t ON t.id = s.price_type_id JOIN source o ON o.id = s.source_id
    JOIN measure_unit u ON u.id = s.measure_unit_id`,
  );
  const items = await database.rows<Record<string, number>>('SELECT * FROM series_period ORDER BY period');
  const entries = rows.map(({ serie_id, ...row }) => {
    const own = items.filter((item) => item.serie_id === serie_id);
    const last = Math.max(0, ...own.map((item) => item.end_day!));
    return {
      ...row,
      hs_code: row.hs_code ?? '',
      regional_average: row.regional_average === 1,
      last_price_date: last === 0 ? null : isoFromDay(last),
      periodicity: own.map((item) => ({
        period: ['', 'daily', 'weekly', 'monthly'][item.period!],
        start_date: isoFromDay(item.start_day!),
        end_date: isoFromDay(item.end_day!),
        ...(item.calculated === 1 ? { calculated: true } : {}),
      })),
    } as unknown as PlainEntry;
  });
  const key = (entry: PlainEntry) => `${entry.iso3_country_code} ${entry.uuid}`;
  return entries.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
