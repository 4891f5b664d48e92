import type { Transaction } from '../../ledger/unit-of-work.js';
import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import type { Cpi } from '../../reference/cpi/cpi.entity.js';
import { readStoredIndices } from '../../reference/cpi/stored-indices.js';
import type { StoredRate } from '../../reference/fx-rate/stored-rates.js';
import type { MonthlySeries } from '../rules/monthly-values.js';

/** An index of one country, by base period. */
export type IndexByBase = Map<string, MonthlySeries>;

interface MutableSeries {
  months: number[];
  values: number[];
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
  for (const row of await readStoredIndices(transaction, countries, item)) {
    const key = `${row.iso3_country_code} ${row.item}`;
    let bases = found.get(key);
    if (bases === undefined) found.set(key, (bases = new Map<string, MutableSeries>()));
    let series = bases.get(row.base_period);
    if (series === undefined) bases.set(row.base_period, (series = { months: [], values: [] }));
    series.months.push(monthOf(dayFromIso(row.date)!));
    series.values.push(row.value);
  }
  return found;
}
