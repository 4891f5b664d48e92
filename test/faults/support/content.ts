import { createHash } from 'node:crypto';

export type Row = Record<string, unknown>;
export type Query = (sql: string) => Promise<Row[]>;

/** The extent of the stored points of each series. */
export const POINTS = `SELECT s.uuid, o.period, COUNT(*) AS points, MIN(o.day) AS first, MAX(o.day) AS last
  FROM observation o JOIN price_serie s ON s.id = o.serie_id GROUP BY s.uuid, o.period ORDER BY s.uuid, o.period`;
/** The same, as the periodicity says it. */
export const PERIODS = `SELECT s.uuid, p.period, p.points, p.start_day AS first, p.end_day AS last
  FROM series_period p JOIN price_serie s ON s.id = p.serie_id WHERE p.calculated = 0 ORDER BY s.uuid, p.period`;

/** Everything that an import stores, except ids, versions and revisions. */
const CONTENT = [
  `SELECT s.uuid, s.currency, c.name AS commodity, m.name AS market, m.iso3_country_code, t.name AS type, o.name AS source, u.name AS unit
    FROM price_serie s JOIN commodity c ON c.id = s.commodity_id JOIN market m ON m.id = s.market_id JOIN price_type t ON t.id = s.price_type_id
    JOIN source o ON o.id = s.source_id JOIN measure_unit u ON u.id = s.measure_unit_id ORDER BY s.uuid`,
  `SELECT s.uuid, p.period, p.start_day, p.end_day, p.calculated, p.points
    FROM series_period p JOIN price_serie s ON s.id = p.serie_id ORDER BY s.uuid, p.period`,
  `SELECT s.uuid, o.period, o.day, o.value, o.calculated, o.comment
    FROM observation o JOIN price_serie s ON s.id = o.serie_id ORDER BY s.uuid, o.period, o.day`,
];

/** A digest of everything that imports store. */
export async function checksum(query: Query): Promise<string> {
  const hash = createHash('sha256');
  for (const sql of CONTENT) hash.update(JSON.stringify(await query(sql)));
  return hash.digest('hex');
}
