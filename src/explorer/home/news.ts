import type { CountryMonths } from '../../analysis/warnings/country-months.js';
import type { WarningRow } from '../../analysis/warnings/warnings.service.js';
import { monthText } from '../../web/numbers.js';
import { texts } from '../texts.js';
import { highShare } from '../warnings/high-prices.js';

/**
 * In how many countries fewer food prices are high than a year before, of those that can be rated
 * in both months and whose prices are not old; null without any.
 * @param now the warnings of `month` by country
 * @param before those of a year before
 * @param month a month number
 */
export function newsText(
  now: readonly WarningRow[],
  before: readonly WarningRow[],
  months: CountryMonths,
  month: number,
): string | null {
  const shares = new Map(before.map((row) => [row.key.iso3_country_code, highShare(row)]));
  const changes = now.flatMap((row) => {
    const { iso3_country_code: iso3 } = row.key;
    const [share, past] = [highShare(row), shares.get(iso3) ?? null];
    return share === null || past === null || months.isOld(iso3) ? [] : [share - past];
  });
  if (changes.length === 0) return null;
  const fewer = changes.filter((change) => change < 0).length;
  const more = changes.filter((change) => change > 0).length;
  return texts.home.news(fewer, more, changes.length, monthText(month));
}
