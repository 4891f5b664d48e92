import type { CountryMonths } from '../../analysis/warnings/country-months.js';
import type { ComparedWarning } from '../../analysis/warnings/warning-changes.service.js';
import { monthText } from '../../web/numbers.js';
import { texts } from '../texts.js';

/**
 * In how many countries a smaller share of food prices is high than a year before, of those that
 * can be rated in both months and whose prices are not old; null without any.
 * @param month a month number; null for the newest month of each country
 */
export function newsText(
  countries: readonly ComparedWarning[],
  reach: CountryMonths,
  month: number | null,
): string | null {
  const changes = countries.flatMap(({ key, change: { share, share_12m_ago: before } }) =>
    share === null || before === null || reach.isOld(key.iso3_country_code) ? [] : [share - before],
  );
  if (changes.length === 0) return null;
  const fewer = changes.filter((change) => change < 0).length;
  const more = changes.filter((change) => change > 0).length;
  return texts.warnings.news(
    fewer,
    more,
    changes.length,
    month === null ? texts.warnings.newestOfEach : monthText(month),
  );
}
