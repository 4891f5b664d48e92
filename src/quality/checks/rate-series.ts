import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import type { Cpi } from '../../reference/cpi/cpi.entity.js';
import type { FxRate } from '../../reference/fx-rate/fx-rate.entity.js';
import type { MonthlySeries } from '../rules/monthly-values.js';

/** Values of one statement. */
const BATCH = 500;

/** A stored rate. */
export type StoredRate = Pick<FxRate, 'currency' | 'rate_type' | 'period' | 'date' | 'rate'>;

/** An index of one country, by base period. */
export type IndexByBase = Map<string, MonthlySeries>;

interface MutableSeries {
  months: number[];
  values: number[];
}

/** The stored rates of some currencies, by currency, type, period and date. */
export async function readRates(
  transaction: Transaction,
  currencies: readonly string[],
): Promise<Map<string, StoredRate[]>> {
  const rates = new Map(currencies.map((currency) => [currency, [] as StoredRate[]]));
  const rows = await transaction.rows<StoredRate>(
    'SELECT currency, rate_type, period, date, rate FROM fx_rate' +
      ` WHERE currency IN (${placeholders(currencies.length)}) ORDER BY currency, rate_type, period, date`,
    currencies,
  );
  for (const row of rows) rates.get(row.currency)!.push(row);
  return rates;
}

/**
 * A currency's rate of each month, as prices are converted with it: the monthly one or, where there
 * is none, the mean of those of its days.
 * @param rows of one type, in ascending order of period and date
 */
export function monthlyRateSeries(rows: readonly StoredRate[]): MonthlySeries {
  const sums = new Map<number, { sum: number; count: number }>();
  const monthly = new Map<number, number>();
  for (const { period, date, rate } of rows) {
    const month = monthOf(dayFromIso(date)!);
    if (period === 'monthly') monthly.set(month, rate);
    else {
      const { sum, count } = sums.get(month) ?? { sum: 0, count: 0 };
      sums.set(month, { sum: sum + rate, count: count + 1 });
    }
  }
  for (const [month, { sum, count }] of sums) if (!monthly.has(month)) monthly.set(month, sum / count);
  const months = [...monthly.keys()].sort((one, other) => one - other);
  return { months, values: months.map((month) => monthly.get(month)!) };
}

/**
 * The indices of some countries.
 * @param item only these
 * @returns by country and item, `KEN general`, then by base period
 */
export async function readIndices(
  transaction: Transaction,
  countries: readonly string[],
  item?: Cpi['item'],
): Promise<Map<string, IndexByBase>> {
  const found = new Map<string, Map<string, MutableSeries>>();
  for (const batch of batchesOf(countries, BATCH)) {
    const rows = await transaction.rows<
      Pick<Cpi, 'iso3_country_code' | 'item' | 'base_period' | 'date' | 'value'>
    >(
      'SELECT iso3_country_code, item, base_period, date, value FROM cpi' +
        ` WHERE iso3_country_code IN (${placeholders(batch.length)})` +
        (item === undefined ? '' : ` AND item = '${item}'`) +
        ' ORDER BY iso3_country_code, item, base_period, date',
      batch,
    );
    for (const { iso3_country_code, item, base_period, date, value } of rows) {
      const key = `${iso3_country_code} ${item}`;
      let bases = found.get(key);
      if (bases === undefined) found.set(key, (bases = new Map<string, MutableSeries>()));
      let series = bases.get(base_period);
      if (series === undefined) bases.set(base_period, (series = { months: [], values: [] }));
      series.months.push(monthOf(dayFromIso(date)!));
      series.values.push(value);
    }
  }
  return found;
}
