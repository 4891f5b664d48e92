import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { changeRecordsAlike } from '../base/record-versions.js';
import { type DatabaseRow, TableStatements } from '../base/table-statements.js';
import { Market } from './market.entity.js';

/*
 * All markets of a country have the same name of it: the one that a maintainer has set last, or
 * else the one that the first of them was stored with. They are changed together.
 */

const table = new TableStatements(Market);

/** Codes of one statement. */
const CODES_PER_STATEMENT = 250;

/** The stored names of countries, by code; none for those without markets. */
export async function readCountryNames(
  transaction: Pick<Transaction, 'rows'>,
  codes: Iterable<string>,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const all = [...new Set(codes)];
  for (const some of batchesOf(all, CODES_PER_STATEMENT)) {
    const found = await transaction.rows<Pick<Market, 'iso3_country_code' | 'country_name'>>(
      'SELECT iso3_country_code, country_name FROM market WHERE id IN (SELECT MIN(id) FROM market' +
        ` WHERE iso3_country_code IN (${placeholders(some.length)}) GROUP BY iso3_country_code)`,
      some,
    );
    for (const { iso3_country_code, country_name } of found) names.set(iso3_country_code, country_name);
  }
  return names;
}

/** The name that a country has in markets other than some; undefined where there are none. */
export async function readNameInOthers(
  transaction: Pick<Transaction, 'rows'>,
  code: string,
  some: ReadonlySet<number>,
): Promise<string | undefined> {
  const markets = await transaction.rows<Pick<Market, 'id' | 'country_name'>>(
    'SELECT id, country_name FROM market WHERE iso3_country_code = ? ORDER BY id',
    [code],
  );
  return markets.find(({ id }) => !some.has(id))?.country_name;
}

/**
 * Gives all markets of a country a name of it.
 * @returns the number of those that had another one
 */
export async function renameCountry(transaction: Transaction, code: string, name: string): Promise<number> {
  const rows = await transaction.rows<DatabaseRow>(
    table.select('WHERE iso3_country_code = ? AND country_name <> ? ORDER BY id'),
    [code, name],
  );
  if (rows.length === 0) return 0;
  const markets = rows.map((row) => table.record(row));
  await changeRecordsAlike(transaction, table, markets, { country_name: name });
  transaction.markModified(Market.area);
  return markets.length;
}
