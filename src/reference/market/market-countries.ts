import type { Reads } from '../../database/reads.js';
import { selectByIds } from '../../database/select-by-ids.js';
import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { PAST_RECORDS_PER_STATEMENT, recordVersions } from '../base/past-records.js';

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

/** The countries of some markets, by their ids; of those that have gone as they were last. */
export async function lastCountriesOf(
  reads: Pick<Reads, 'arrays'>,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const former = (await recordVersions(reads, 'market', ids)).sort((one, other) => one.until - other.until);
  const countries = new Map(former.map(({ id, attributes }) => [id, attributes.iso3_country_code as string]));
  for (const batch of batchesOf(ids, PAST_RECORDS_PER_STATEMENT)) {
    const rows = await reads.arrays<[id: number, country: string]>(
      `SELECT id, iso3_country_code FROM market WHERE id IN (${placeholders(batch.length)})`,
      batch,
    );
    for (const [id, country] of rows) countries.set(id, country);
  }
  return countries;
}
