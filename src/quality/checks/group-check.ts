import type { Transaction } from '../../ledger/unit-of-work.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import { monthOf } from '../../lib/dates/calendar-date.js';
import { seriesWith } from '../../price-series/series-views.js';
import { countriesWithMarkets } from '../../reference/market/market-countries.js';
import type { Outlier } from '../rules/outlier-groups.js';
import type { ChangedData } from './changed-data.js';
import { subjectText, type Check } from './check.js';
import { countInCountry } from './groups/country-series.js';
import { countedMonths, monthFindings, outlierFindings } from './groups/outlier-findings.js';
import { countedSteps, stepFindings, type SeriesPowerStep } from './groups/step-findings.js';
import type { CheckedSeriesReader } from './checked-series-reader.js';

const FROM_SERIES = `FROM ${seriesWith('commodity', 'market')}`;
const SELECT_OUTLIERS =
  'SELECT s.id AS serieId, s.uuid, m.iso3_country_code AS country, m.id AS marketId, m.name AS market,' +
  ' c.id AS commodityId, c.name AS commodity, o.day, o.value, o.median' +
  ` ${FROM_SERIES} JOIN series_outlier o ON o.serie_id = s.id` +
  ' WHERE m.iso3_country_code = ? ORDER BY s.id, o.day';
const SELECT_STEPS =
  'SELECT s.id AS serieId, s.uuid, m.iso3_country_code AS country, s.currency, o.day, o.value, o.previous' +
  ` ${FROM_SERIES} JOIN series_step o ON o.serie_id = s.id` +
  ' WHERE m.iso3_country_code = ? ORDER BY s.id, o.day';

/**
 * Rules that compare the monthly points of the series of a country. A subject is the code of a
 * country. Uses what `PointCheck` stores of each series.
 */
export class GroupCheck implements Check {
  readonly name = 'groups';
  readonly attributes = { commodity: ['name'], market: ['name', 'iso3_country_code'] };
  readonly follows = { series: 'all', tables: ['market'] } as const;
  readonly batch = 10;

  async subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    const { series, revalued } = changed.changes;
    const facts = await changed.series(this);
    // Without a mark a series is in no group, and the counts beside groups are of days, not values.
    // A group that it has left has a finding about it, or was none and has lost a member.
    const countsSame = series.size === revalued.size && facts.length === series.size;
    if (countsSame && facts.every((one) => changed.isOnlyRevalued(this, one))) {
      if (!changed.haveMarks(series)) return [];
      return new Set(facts.map(({ country }) => country));
    }
    const markets = new Set([...changed.recordIds(this, 'market'), ...(await changed.formerMarkets())]);
    const countries = await changed.countriesOf(markets);
    for (const { country } of facts) countries.add(country);
    return countries;
  }

  allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    return countriesWithMarkets(transaction);
  }

  async check(
    transaction: Transaction,
    countries: readonly string[],
    points: CheckedSeriesReader,
  ): Promise<FoundFinding[]> {
    const found: FoundFinding[] = [];
    for (const country of countries) {
      const subject = subjectText(this, country);
      const outliers = (
        await transaction.rows<Omit<Outlier, 'month' | 'ratio'>>(SELECT_OUTLIERS, [country])
      ).map((row) => ({ ...row, month: monthOf(row.day), ratio: row.value / row.median }));
      const steps = (await transaction.rows<Omit<SeriesPowerStep, 'month'>>(SELECT_STEPS, [country])).map(
        (row) => ({ ...row, month: monthOf(row.day) }),
      );
      const months = countedMonths(outliers);
      const stepped = countedSteps(steps);
      const counts = [...months, ...stepped].map(({ count }) => count);
      await countInCountry(transaction, points, country, counts);
      const findings = [
        ...outlierFindings(subject, outliers),
        ...monthFindings(subject, months),
        ...stepFindings(subject, stepped),
      ];
      // One by one: arguments are on the stack, which so many overflow.
      for (const finding of findings) found.push(finding);
    }
    return found;
  }
}
