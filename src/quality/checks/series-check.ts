import type { FoundFinding } from '../../ledger/findings/finding.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { countryName } from '../../lib/codes/countries.js';
import { nonCommodityOf } from '../../price-series/commodity-kinds.js';
import { allUuids } from '../../price-series/series-store.js';
import { isForeignCurrency } from '../rules/foreign-currency.js';
import type { RuleName } from '../rules/rule-table.js';
import type { ChangedData } from './changed-data.js';
import { subjectText, type Check } from './check.js';
import type { CheckedSeriesReader } from './checked-series-reader.js';
import type { SeriesFacts } from './series-facts.js';
import { seriesFinding } from './compared/series-finding.js';

/** Rules about the attributes of single series. A subject is the uuid of a series. */
export class SeriesCheck implements Check {
  readonly name = 'series';
  readonly attributes = { commodity: ['name'], market: ['iso3_country_code'] };
  readonly follows = { series: 'all but values', tables: [] } as const;
  readonly batch = 200;

  async subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    const facts = await changed.series(this);
    // Nearly always no rule holds. Where one did, the finding's subject is checked anyway if the
    // series has changed, but not if only its attributes have.
    // Thousands of series have the same few hundred commodities and currencies.
    const holds = new Map<string, boolean>();
    const anyHolds = (series: SeriesFacts) => {
      const key = `${series.country} ${series.currency} ${series.commodity}`;
      let any = holds.get(key);
      if (any === undefined) holds.set(key, (any = detailsOf(series).length > 0));
      return any;
    };
    return facts
      .filter((series) => !changed.isOnlyRevalued(this, series))
      .filter((series) => !changed.changes.series.has(series.id) || anyHolds(series))
      .map(({ uuid }) => uuid);
  }

  allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    return allUuids(transaction);
  }

  async check(
    _transaction: Transaction,
    uuids: readonly string[],
    reader: CheckedSeriesReader,
  ): Promise<FoundFinding[]> {
    const facts = await reader.facts(uuids);
    const joins = await reader.joins();
    return facts
      .filter(({ id }) => !joins.isJoined(id))
      .flatMap((series) =>
        detailsOf(series).map(([rule, detail]) =>
          seriesFinding(rule, subjectText(this, series.uuid), series, { detail }),
        ),
      );
  }
}

/** The rules that hold for a series, with the sentences that say why. */
function detailsOf({ commodity, country, currency }: SeriesFacts): [RuleName, string][] {
  const details: [RuleName, string][] = [];
  if (isForeignCurrency(currency, country)) {
    const detail = `${currency} is not a currency of ${countryName(country)}, nor USD or EUR.`;
    details.push(['foreign_currency', detail]);
  }
  const kind = nonCommodityOf(commodity);
  if (kind !== null) {
    const article = kind === 'exchange rate' ? 'an' : 'a';
    details.push(['not_a_commodity', `"${commodity}" is ${article} ${kind} by its name, not a commodity.`]);
  }
  return details;
}
