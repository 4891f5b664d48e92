import type { Reads } from '../../database/reads.js';
import { placeholders } from '../../database/sql.js';
import type { FxRate } from './fx-rate.entity.js';

/** A stored rate. */
export type StoredRate = Pick<FxRate, 'currency' | 'rate_type' | 'period' | 'date' | 'rate'>;

/**
 * The official rates as `f`, and after the word the condition that they are of some currencies: for
 * the FROM clause of a statement.
 * @param currencies placeholders
 */
export const officialRates = (word: 'ON' | 'WHERE', currencies: string): string =>
  `fx_rate f ${word} f.rate_type = 'official' AND f.currency IN (${currencies})`;

/** The currencies that have rates. */
export async function currenciesWithRates(reads: Pick<Reads, 'rows'>): Promise<string[]> {
  const rows = await reads.rows<{ currency: string }>('SELECT DISTINCT currency FROM fx_rate');
  return rows.map(({ currency }) => currency);
}

/** The least official rate of each of some currencies. */
export async function leastOfficialRates(
  reads: Pick<Reads, 'rows'>,
  currencies: readonly string[],
): Promise<Map<string, number>> {
  const rows = await reads.rows<{ currency: string; least: number }>(
    'SELECT f.currency, MIN(f.rate) AS least' +
      ` FROM ${officialRates('WHERE', placeholders(currencies.length))} GROUP BY f.currency`,
    currencies,
  );
  return new Map(rows.map(({ currency, least }) => [currency, Number(least)]));
}

/** The stored rates of some currencies, by currency, type, period and date. */
export async function readRates(
  reads: Pick<Reads, 'rows'>,
  currencies: readonly string[],
): Promise<Map<string, StoredRate[]>> {
  const rates = new Map(currencies.map((currency) => [currency, [] as StoredRate[]]));
  const rows = await reads.rows<StoredRate>(
    'SELECT currency, rate_type, period, date, rate FROM fx_rate' +
      ` WHERE currency IN (${placeholders(currencies.length)}) ORDER BY currency, rate_type, period, date`,
    currencies,
  );
  for (const row of rows) rates.get(row.currency)!.push(row);
  return rates;
}
