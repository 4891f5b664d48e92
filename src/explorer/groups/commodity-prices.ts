import { Injectable } from '@nestjs/common';
import { DEFAULT_AGGREGATE_SETTINGS } from '../../analysis/aggregates/aggregate-settings.js';
import type { AsOf } from '../../ledger/revision/as-of.js';
import type { RequestInfo } from '../../platform/http/request.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { isFood } from '../../price-series/commodity-kinds.js';
import { kindsTogether } from '../../price-series/search/market-coverage.js';
import { indexPoints } from './group-chart.js';
import { type GroupFilters, type GroupView, GroupViews, type PricedView } from './group-views.js';
import { MainPrices } from './main-prices.js';

/** What a commodity costs in a country or market: the prices that its page opens with. */
export interface CommodityPrice {
  readonly id: number;
  readonly name: string;
  readonly isFood: boolean;
  /** Series of the commodity. */
  readonly series: number;
  readonly group: PricedView;
}

/** What the commodities of a country or market cost, by the services of the API. */
@Injectable()
export class CommodityPrices {
  constructor(
    private readonly groups: GroupViews,
    private readonly prices: MainPrices,
  ) {}

  /**
   * The commodities that have a price, by name, of kinds of one food first that with newest prices
   * in most markets. Of very many series, those with most.
   * @param place the country or the market, as filters of the API
   * @param rows its series
   */
  async read(
    place: GroupFilters,
    catalogue: CatalogueSnapshot,
    rows: Uint32Array,
    asOf: AsOf | undefined,
    info: RequestInfo,
  ): Promise<CommodityPrice[]> {
    const prices = await this.prices.read(
      place,
      { by: 'commodity', measure: 'nominal' },
      catalogue,
      rows,
      asOf,
      info,
    );
    const commodities = prices.map(({ rows, kinds: [group] }) => {
      const { id, name, category } = catalogue.referenceAt('commodity', rows[0]!);
      return { id, name, isFood: isFood(name, category), series: rows.length, group: group!, rows };
    });
    return kindsTogether(catalogue, commodities);
  }

  /** The foods with most series that have an index, these first; without any, the first food. */
  async main(prices: readonly CommodityPrice[]): Promise<GroupView[]> {
    const foods = prices.filter(({ isFood }) => isFood);
    const main: GroupView[] = [];
    for (const { group } of foods.toSorted((one, other) => other.series - one.series)) {
      // Fewer series have no index.
      if (group.series < DEFAULT_AGGREGATE_SETTINGS.min_matched && main.length > 0) break;
      const observed = await this.groups.observed(group);
      if (main.length === 0 || indexPoints(observed).length > 0) main.push(observed);
      if (main.length === MAX_INDICES) break;
    }
    return main;
  }
}

/** Foods whose index is shown. */
const MAX_INDICES = 6;
