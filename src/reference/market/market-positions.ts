import type { Reads } from '../../database/reads.js';
import { placeholders } from '../../database/sql.js';

/** A market with a position, in degrees. */
export interface PlacedMarket {
  readonly id: number;
  readonly name: string;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
}

const IS_PLACED = 'latitude IS NOT NULL AND longitude IS NOT NULL';

/** The ids of the markets with a position. */
export async function placedMarketIds(reads: Pick<Reads, 'rows'>): Promise<number[]> {
  const rows = await reads.rows<{ id: number }>(`SELECT id FROM market WHERE ${IS_PLACED} ORDER BY id`);
  return rows.map(({ id }) => id);
}

/** Of some markets, those with a position. */
export function readPlacedMarkets(
  reads: Pick<Reads, 'rows'>,
  ids: readonly number[],
): Promise<PlacedMarket[]> {
  return reads.rows(
    'SELECT id, name, iso3_country_code AS country, latitude, longitude FROM market' +
      ` WHERE id IN (${placeholders(ids.length)}) AND ${IS_PLACED} ORDER BY id`,
    ids,
  );
}
