import type { Reads } from '../../database/reads.js';
import { selectByIds } from '../../database/select-by-ids.js';
import { recordVersions } from '../base/past-records.js';

/** The codes of the countries that have markets, in order. */
export async function countriesWithMarkets(reads: Pick<Reads, 'rows'>): Promise<string[]> {
  const rows = await reads.rows<{ code: string }>(
    'SELECT DISTINCT iso3_country_code AS code FROM market ORDER BY iso3_country_code',
  );
  return rows.map(({ code }) => code);
}

/** The countries of some markets: those of today, and those of before. */
export async function countriesOfMarkets(
  reads: Pick<Reads, 'rows' | 'arrays'>,
  ids: readonly number[],
): Promise<Set<string>> {
  const current = await selectByIds<{ code: string }>(
    reads,
    'SELECT DISTINCT iso3_country_code AS code FROM market WHERE id IN ({ids})',
    ids,
  );
  const former = await recordVersions(reads, 'market', ids);
  return new Set([
    ...current.map(({ code }) => code),
    ...former.map(({ attributes }) => attributes.iso3_country_code as string),
  ]);
}
