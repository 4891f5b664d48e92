import type { Reads } from '../../database/reads.js';
import { selectByIds } from '../../database/select-by-ids.js';
import type { Cpi } from './cpi.entity.js';

/** A stored index of a month. */
type StoredIndex = Pick<Cpi, 'iso3_country_code' | 'item' | 'base_period' | 'date' | 'value'>;

/**
 * The general indices as `c`, and after the word the condition that they are of some countries: for
 * the FROM clause of a statement.
 * @param countries placeholders
 */
export const generalIndices = (word: 'ON' | 'WHERE', countries: string): string =>
  `cpi c ${word} c.item = 'general' AND c.iso3_country_code IN (${countries})`;

/** The countries and items that have indices. */
export function indexedItems(
  reads: Pick<Reads, 'rows'>,
): Promise<Pick<StoredIndex, 'iso3_country_code' | 'item'>[]> {
  return reads.rows('SELECT DISTINCT iso3_country_code, item FROM cpi');
}

/** The indices of some countries, in each by item, base period and date. @param item only these */
export function readStoredIndices(
  reads: Pick<Reads, 'rows'>,
  countries: readonly string[],
  item?: Cpi['item'],
): Promise<StoredIndex[]> {
  const ofItem = item === undefined ? '' : ` AND item = '${item}'`;
  return selectByIds(
    reads,
    'SELECT iso3_country_code, item, base_period, date, value FROM cpi' +
      ` WHERE iso3_country_code IN ({ids})${ofItem} ORDER BY iso3_country_code, item, base_period, date`,
    countries,
  );
}
