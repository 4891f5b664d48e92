import { countryMonths } from '../../analysis/warnings/country-months.js';
import { SeriesLoader } from '../../analysis/series-loader.js';
import { asOfParameter } from '../../ledger/revision/as-of.js';
import { Injectable } from '@nestjs/common';
import { monthOf } from '../../lib/dates/calendar-date.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { pageParameters } from '../../platform/listing/page.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { countryLabel } from '../countries/country-label.js';
import { indexPoints } from '../groups/group-chart.js';
import { type GroupView, GroupViews, largest, type PricedView } from '../groups/group-views.js';
import { type MainPrice, MainPrices } from '../groups/main-prices.js';
import { newestPriceMonth } from '../groups/price-rows.js';
import { monthToday } from '../layout/age.js';
import { idOfPage, noSuchName } from '../layout/near-pages.js';
import { asOfText } from '../series/series-state.js';

/** Countries in a chart: as many as there are colours that can be told apart. */
const MAX_LINES = 8;

/** What the pages of all commodities and of one are asked for. */
export const commodityQuery = new QuerySchema({ as_of: asOfParameter, page: pageParameters.page });
export type CommodityQuery = QueryValues<typeof commodityQuery.parameters>;

/** What a commodity costs in a country. */
export interface CountryPrice {
  readonly iso3: string;
  readonly name: string;
  /** In local money. */
  readonly group: PricedView;
  /** The same prices in dollars; null where none can be converted. */
  readonly dollars: PricedView | null;
}

/** What the page of a commodity is made of. */
export interface CommodityView {
  readonly id: number;
  readonly name: string;
  /** The countries that have a price, by name. */
  readonly prices: readonly CountryPrice[];
  /** The newest month that a price is not old in (a month number). */
  readonly current: number;
  /** By country, of one price type and unit: in dollars, and the index of local money. */
  readonly dollars: readonly GroupView[];
  readonly indices: readonly GroupView[];
  readonly catalogue: CatalogueSnapshot;
  /** The series in the catalogue. */
  readonly rows: Uint32Array;
  /** Countries whose prices are not read, because there are very many series. */
  readonly leftOut: readonly { readonly iso3: string; readonly name: string }[];
  /** Series whose prices are put together at most. */
  readonly maxSeries: number;
  /** Countries with a series. */
  readonly countries: number;
  /** The newest month with a price of it (a month number); null without one. */
  readonly newest: number | null;
  /** The month of today (a month number). */
  readonly today: number;
  /** As the address says it. */
  readonly asOf: string | undefined;
  readonly revision: number;
  readonly page: number;
}

/** What the page of all commodities is made of. */
export interface CommodityIndexView {
  readonly catalogue: CatalogueSnapshot;
  /** The newest month that a quarter of the countries reach; null without prices. */
  readonly current: number | null;
  /** As the address says it. */
  readonly asOf: string | undefined;
  readonly revision: number;
  readonly page: number;
}

/** Loads what the pages of commodities show, by the services of the API. */
@Injectable()
export class CommodityViews {
  constructor(
    private readonly loader: SeriesLoader,
    private readonly mainPrices: MainPrices,
    private readonly groups: GroupViews,
  ) {}

  /** All commodities. @throws ValidationError for a revision that does not exist */
  async all({ as_of: asOf, page = 1 }: CommodityQuery, { signal }: RequestInfo): Promise<CommodityIndexView> {
    const { catalogue, revision } = await this.loader.select(
      Criteria.of(priceSeriesFilters, {}),
      { asOf, firstPublished: false },
      signal,
    );
    const { current } = await countryMonths(catalogue);
    return { catalogue, current, asOf: asOfText(asOf), revision, page };
  }

  /**
   * @param text the id, as the address says it
   * @throws NoSuchPage for what is no id, or a commodity without series
   * @throws ValidationError for a revision that does not exist
   */
  async read(
    text: string,
    { as_of: asOf, page = 1 }: CommodityQuery,
    info: RequestInfo,
  ): Promise<CommodityView> {
    const filters = { commodity_ids: [idOfPage(text)] };
    const { catalogue, rows, revision } = await this.loader.select(
      Criteria.of(priceSeriesFilters, filters),
      { asOf, firstPublished: false },
      info.signal,
    );
    const [row] = rows;
    if (row === undefined) throw await noSuchName(catalogue, text);
    const { id, name } = catalogue.referenceAt('commodity', row);
    const { countryOf } = catalogue.dictionaries.marketIndex;
    const read = (measure: 'nominal' | 'usd') =>
      this.mainPrices.read(filters, { by: 'country', measure }, catalogue, rows, asOf, info);
    const local = await read('nominal');
    const dollars = await read('usd');
    const inDollars = new Map(dollars.map((price) => [price.id, price]));
    const charted = chartedGroups(dollars);
    const { current } = await countryMonths(catalogue);
    return {
      id,
      name,
      prices: local
        .map(({ id, kinds: [group] }) => ({
          iso3: String(id),
          name: countryLabel(catalogue, String(id)),
          group: group!,
          dollars: inDollars.get(id)?.kinds.find((kind) => isSameKind(kind, group!)) ?? null,
        }))
        .sort((one, other) => one.name.localeCompare(other.name, 'en')),
      current: current ?? newestPriceMonth(local.map(({ kinds: [group] }) => ({ group: group! }))),
      dollars: await this.observed(charted),
      indices: await this.indices(local, charted[0]),
      catalogue,
      rows,
      leftOut: this.mainPrices.leftOut('country', catalogue, rows).map(({ id }) => ({
        iso3: String(id),
        name: countryLabel(catalogue, String(id)),
      })),
      maxSeries: this.mainPrices.maxSeries,
      newest: newestMonth(catalogue, rows),
      today: monthToday(info),
      countries: new Set(Array.from(rows, (each) => countryOf[catalogue.columns.market[each]!]!)).size,
      asOf: asOfText(asOf),
      revision,
      page,
    };
  }

  /** Local prices of one kind that have an index, of most series. */
  private async indices(prices: readonly MainPrice[], kind: PricedView | undefined): Promise<GroupView[]> {
    if (kind === undefined) return [];
    const alike = prices
      .flatMap(({ kinds }) => kinds.find((each) => isSameKind(each, kind)) ?? [])
      .sort((one, other) => other.series - one.series);
    const indices: GroupView[] = [];
    for (const group of alike) {
      const observed = await this.groups.observed(group);
      if (indexPoints(observed).length > 0) indices.push(observed);
      if (indices.length === MAX_LINES) break;
    }
    return indices;
  }

  private async observed(groups: readonly PricedView[]): Promise<GroupView[]> {
    const observed: GroupView[] = [];
    for (const group of groups) observed.push(await this.groups.observed(group));
    return observed;
  }
}

/** Whether prices are of one type and unit, in whatever money. */
const isSameKind = ({ fields: one }: PricedView, { fields: other }: PricedView): boolean =>
  one.price_type_id === other.price_type_id && one.unit === other.unit;

/**
 * The largest countries, of the price type and unit that most series have. Averages stand beside
 * prices of markets in none: they are charted where there is nothing else.
 */
function chartedGroups(prices: readonly MainPrice[]): PricedView[] {
  const ofMarkets = prices.filter(({ isAverage }) => !isAverage);
  const groups = (ofMarkets.length > 0 ? ofMarkets : prices)
    .flatMap(({ kinds }) => kinds)
    .filter(({ fields }) => fields.unit !== null);
  const sizes = groups.map((group) => ({
    group,
    size: groups.reduce((sum, each) => sum + (isSameKind(each, group) ? each.series : 0), 0),
  }));
  const [main] = sizes.sort((one, other) => other.size - one.size);
  if (main === undefined) return [];
  const alike = groups.filter((group) => isSameKind(group, main.group));
  return largest(alike, MAX_LINES);
}

function newestMonth({ columns }: CatalogueSnapshot, rows: Uint32Array): number | null {
  const day = rows.reduce((newest, row) => Math.max(newest, columns.last_day[row]!), 0);
  return day === 0 ? null : monthOf(day);
}
