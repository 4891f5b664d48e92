import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { SqlValue } from '../../database/database.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { firstDayOf, lastDayOf, seriesWith } from '../../price-series/series-views.js';
import { IS_OBSERVED } from '../../price-series/series-status.js';

/** What rules need to know about a series, beside its points. */
export interface SeriesFacts {
  readonly id: number;
  readonly uuid: string;
  readonly currency: string;
  readonly commodity_id: number;
  readonly commodity: string;
  readonly category: string;
  readonly market_id: number;
  readonly market: string;
  readonly country: string;
  readonly admin_unit: string;
  readonly admin_unit2: string;
  readonly price_type_id: number;
  readonly price_type: string;
  readonly measure_unit_id: number;
  readonly unit: string;
  /** `mass`, `volume` or `other`. */
  readonly dimension: string;
  /** Price × factor = price per kilogram or litre; null if unknown. */
  readonly factor: number | null;
  readonly source_id: number;
  /** The revision that created it, or changed its attributes last; drivers may give it as text. */
  readonly since: number | string;
  /** Day numbers of its first and last point of any frequency; null if it has none. */
  readonly first_day: number | null;
  readonly last_day: number | null;
  /** The outline digest of its points, as it is stored; null until it is calculated. */
  readonly digest: string | null;
  /** 1 if outliers or steps of it are stored, else 0. */
  readonly marked: number;
}

/** Values of one statement. */
const BATCH = 500;

const COLUMNS = {
  id: 's.id',
  uuid: 's.uuid',
  currency: 's.currency',
  commodity_id: 's.commodity_id',
  commodity: 'c.name',
  category: 'c.category',
  market_id: 's.market_id',
  market: 'm.name',
  country: 'm.iso3_country_code',
  admin_unit: 'm.admin_unit',
  admin_unit2: 'm.admin_unit2',
  price_type_id: 's.price_type_id',
  price_type: 't.name',
  measure_unit_id: 's.measure_unit_id',
  unit: 'u.name',
  dimension: 'u.dimension',
  factor: 'u.conversion_factor',
  source_id: 's.source_id',
  since: 's.since',
  first_day: firstDayOf('s.id'),
  last_day: lastDayOf('s.id'),
  digest: 'd.digest',
  marked:
    '(EXISTS (SELECT 1 FROM series_outlier o WHERE o.serie_id = s.id)' +
    ' OR EXISTS (SELECT 1 FROM series_step p WHERE p.serie_id = s.id))',
} as const satisfies Record<keyof SeriesFacts, string>;
const NAMES = Object.keys(COLUMNS);

const SELECT_FACTS =
  `SELECT ${Object.values(COLUMNS).join(', ')}` +
  ` FROM ${seriesWith('commodity', 'market', 'price_type', 'measure_unit')}` +
  ' LEFT JOIN series_digest d ON d.serie_id = s.id';

/** Columns by which series are selected. */
export type FactsKey =
  | 's.id'
  | 's.uuid'
  | 's.commodity_id'
  | 's.market_id'
  | 's.price_type_id'
  | 's.measure_unit_id'
  | 'm.iso3_country_code';

/**
 * The observed series with one of some values of a column, of up to 500 values by id in ascending
 * order.
 */
export async function readSeriesFacts(
  transaction: Transaction,
  key: FactsKey,
  values: Iterable<SqlValue>,
): Promise<SeriesFacts[]> {
  const facts: SeriesFacts[] = [];
  const all = [...values];
  for (const batch of batchesOf(all, BATCH)) {
    const sql = `${SELECT_FACTS} WHERE ${key} IN (${placeholders(batch.length)}) AND ${IS_OBSERVED} ORDER BY s.id`;
    for (const row of await transaction.arrays(sql, batch)) facts.push(factsOf(row));
  }
  return facts;
}

/** Rows are read as arrays: the driver takes twice as long to make objects of so many columns. */
function factsOf(row: readonly unknown[]): SeriesFacts {
  const facts: Record<string, unknown> = {};
  for (let index = 0; index < NAMES.length; index++) facts[NAMES[index]!] = row[index];
  return facts as unknown as SeriesFacts;
}
