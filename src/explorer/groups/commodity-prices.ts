import { Injectable } from '@nestjs/common';
import { DEFAULT_AGGREGATE_SETTINGS } from '../../analysis/aggregates/aggregate-settings.js';
import { AggregateLimits } from '../../analysis/aggregates/aggregates.service.js';
import type { AsOf } from '../../ledger/revision/as-of.js';
import type { RequestInfo } from '../../platform/http/request.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { isFood } from '../../price-series/goods.js';
import { mainFirst, type PriceReading, readingOf } from './price-kinds.js';
import { indexPoints } from './group-chart.js';
import { type GroupFilters, type GroupView, GroupViews, type PricedView } from './group-views.js';

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
    private readonly limits: AggregateLimits,
  ) {}

  /** Series whose prices are read at most. */
  get most(): number {
    return this.limits.series;
  }

  /**
   * The commodities that have a price, by name. Of very many series, those with most.
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
    const commodities = largestCommodities(catalogue, rows, this.most);
    const found = new Map<number, PricedView[]>();
    for (const { isAverage, per, ids } of byReading(catalogue, commodities)) {
      const filters = { ...place, commodity_ids: ids, goods: false };
      const { groups } = await this.groups.priced(
        { filters: { ...filters, regional_average: isAverage }, by: 'commodity', measure: 'nominal', per },
        asOf,
        info,
      );
      for (const group of groups) {
        const id = Number(group.fields.commodity_id);
        found.set(id, [...(found.get(id) ?? []), group]);
      }
    }
    return [...found]
      .map(([id, groups]) => {
        const rowsOfCommodity = commodities.get(id)!;
        const { name, category } = catalogue.referenceAt('commodity', rowsOfCommodity[0]!);
        const [group] = mainFirst(groups);
        return {
          id,
          name,
          isFood: isFood(name, category),
          series: rowsOfCommodity.length,
          group: group!,
        };
      })
      .sort((one, other) => one.name.localeCompare(other.name, 'en') || one.id - other.id);
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
      if (main.length === MOST_INDICES) break;
    }
    return main;
  }
}

/** Foods whose index is shown. */
const MOST_INDICES = 6;

/** The series by commodity, of commodities that have as many together as are read at most. */
function largestCommodities(
  catalogue: CatalogueSnapshot,
  rows: Uint32Array,
  most: number,
): Map<number, number[]> {
  const all = new Map<number, number[]>();
  for (const row of rows) {
    const { id } = catalogue.referenceAt('commodity', row);
    const known = all.get(id);
    if (known === undefined) all.set(id, [row]);
    else known.push(row);
  }
  let count = 0;
  const read = new Map<number, number[]>();
  for (const [id, ofCommodity] of [...all].sort(([, one], [, other]) => other.length - one.length)) {
    if (count + ofCommodity.length > most) continue;
    count += ofCommodity.length;
    read.set(id, ofCommodity);
  }
  return read;
}

/** The commodities whose prices are put together alike, by id. */
function byReading(catalogue: CatalogueSnapshot, commodities: ReadonlyMap<number, readonly number[]>) {
  const readings = new Map<string, PriceReading & { readonly ids: number[] }>();
  for (const [id, rows] of commodities) {
    const reading = readingOf(catalogue, rows);
    const key = `${reading.isAverage} ${reading.per}`;
    const known = readings.get(key);
    if (known === undefined) readings.set(key, { ...reading, ids: [id] });
    else known.ids.push(id);
  }
  return readings.values();
}
