import type { CountryMonths } from '../../analysis/warnings/country-months.js';
import { highShare } from '../../analysis/warnings/group-months.js';
import type { WarningRow } from '../../analysis/warnings/warnings.service.js';
import { texts } from '../texts.js';

/** How many prices of a country are high. */
type CountryCounts = Pick<WarningRow, 'key' | 'rated' | 'high'>;

/**
 * In how many countries fewer food prices are high than a year before, of those that can be rated
 * in both months and whose prices are not old; null without any.
 * @param now the warnings of a month by country
 * @param before those of a year before
 * @param month in words
 */
export function newsText(
  now: readonly CountryCounts[],
  before: readonly CountryCounts[],
  months: CountryMonths,
  month: string,
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
  return texts.warnings.news(fewer, more, changes.length, month);
}
