import { Injectable } from '@nestjs/common';
import { SeriesLoader } from '../../analysis/series-loader.js';
import { monthOf } from '../../lib/dates/calendar-date.js';
import type { AsOf } from '../../ledger/revision/as-of.js';
import type { RequestInfo } from '../../platform/http/request.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { selectSeries } from '../../price-series/catalogue/selection.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { countryLabel } from '../countries/country-label.js';
import { CommodityPrices } from '../groups/commodity-prices.js';
import { type GroupView, GroupViews } from '../groups/group-views.js';
import { MainPrices } from '../groups/main-prices.js';
import { monthToday } from '../layout/age.js';
import type { NoSuchPage } from '../layout/error-page.js';
import { countryOfPage, idOfPage, noSuchName } from '../layout/near-pages.js';
import { asOfText } from '../series/series-state.js';
import { isOfKind, kindOf, mainFirst, readingOf } from '../groups/price-kinds.js';
import { isOldPrice, newestPriceMonth } from '../groups/price-rows.js';
import { type CommodityName, relatedCommodities } from './related-commodities.js';
import { type CountryCommodityQuery, type CountryCommodityState } from './country-commodity-state.js';

/** Another commodity of the country, like the one of the page. */
interface RelatedCommodity extends CommodityName {
  /** Of its newest prices in a year, as on its own page; null for old prices and without two. */
  readonly changeInYear: number | null;
}

/** What pictures of a commodity in a country are made of. */
export interface CountryCommodityPrices {
  readonly state: CountryCommodityState;
  readonly country: string;
  readonly commodity: string;
  readonly catalogue: CatalogueSnapshot;
  /** The series, as rows of the catalogue. */
  readonly rows: Uint32Array;
  /** Averages of the country or of regions: it has no prices of markets. */
  readonly isAverage: boolean;
  /** All that have a price in the measure, those of most fresh series first. */
  readonly kinds: readonly GroupView[];
  /** How many series are put together at most, where it has more; else null. */
  readonly exceededLimit: number | null;
  /** The one that is shown; null where none can be given in the measure, and of too many series. */
  readonly shown: GroupView | null;
  readonly revision: number;
}

/** What the page of a commodity in a country is made of. */
export interface CountryCommodityView extends CountryCommodityPrices {
  /** The shown prices by market, by name. */
  readonly markets: readonly GroupView[];
  readonly related: readonly RelatedCommodity[];
  /** The month of the newest price shown, over or not (a month number); null without one. */
  readonly newest: number | null;
  /** The month of today (a month number). */
  readonly today: number;
  readonly page: number;
}

/** Loads what pages and pictures of a commodity in a country show, by the services of the API. */
@Injectable()
export class CountryCommodityViews {
  constructor(
    private readonly loader: SeriesLoader,
    private readonly groups: GroupViews,
    private readonly commodities: CommodityPrices,
    private readonly mainPrices: MainPrices,
  ) {}

  /**
   * All that the page shows.
   * @param code ISO alpha-3, in upper or lower case
   * @param text the id of the commodity, as the address says it
   * @throws NoSuchPage for what is neither, and where the country has no series of the commodity
   * @throws ValidationError for a revision that does not exist
   */
  async read(
    code: string,
    text: string,
    query: CountryCommodityQuery,
    info: RequestInfo,
  ): Promise<CountryCommodityView> {
    const prices = await this.prices(code, text, query, info);
    const { catalogue, rows, shown } = prices;
    let last = 0;
    for (const row of shown?.rows ?? rows) last = Math.max(last, catalogue.columns.last_day[row]!);
    return {
      ...prices,
      markets: byName(await this.markets(prices, query.as_of, info)),
      related: await this.related(prices, query.as_of, info),
      newest: last === 0 ? null : monthOf(last),
      today: monthToday(info),
      page: query.page ?? 1,
    };
  }

  /** What a picture shows; parameters and what is thrown are those of `read`. */
  async prices(
    code: string,
    text: string,
    query: CountryCommodityQuery,
    info: RequestInfo,
  ): Promise<CountryCommodityPrices> {
    const [iso3, commodityId] = [countryOfPage(code), idOfPage(text)];
    const { as_of: asOf, measure = 'nominal', price_type_id, currency, unit, start_date, end_date } = query;
    const country = { iso3_country_codes: [iso3] };
    const { catalogue, revision } = await this.loader.select(
      Criteria.of(priceSeriesFilters, country),
      { asOf, firstPublished: false },
      info.signal,
    );
    const ofCommodity = { ...country, commodity_ids: [commodityId] };
    const all = selectSeries(catalogue, Criteria.of(priceSeriesFilters, ofCommodity)).slice();
    if (all.length === 0) throw await noSuchPrices(catalogue, code, text);
    const { isAverage, per } = readingOf(catalogue, all);
    const filters = { ...ofCommodity, regional_average: isAverage };
    const rows = selectSeries(catalogue, Criteria.of(priceSeriesFilters, filters)).slice();
    const { maxSeries } = this.mainPrices;
    const exceededLimit = rows.length > maxSeries ? maxSeries : null;
    const groups =
      exceededLimit === null
        ? (
            await this.groups.read(
              { filters: { ...filters, goods: false }, by: 'commodity', measure, per },
              asOf,
              info,
            )
          ).groups
        : [];
    const kinds = mainFirst(groups);
    const asked = { price_type_id, currency: measure === 'usd' ? undefined : currency, unit };
    return {
      state: {
        iso3,
        commodityId,
        measure,
        per,
        kind: { price_type_id, currency, unit },
        allMarkets: query.markets === 'all',
        range: { start_date, end_date },
        asOf: asOfText(asOf),
      },
      country: countryLabel(catalogue, iso3),
      commodity: catalogue.referenceAt('commodity', rows[0]!).name,
      catalogue,
      rows,
      isAverage,
      kinds,
      exceededLimit,
      shown: kinds.find((group) => isOfKind(group, asked)) ?? null,
      revision,
    };
  }

  private async markets(
    { state: { iso3, commodityId, measure, per }, isAverage, shown }: CountryCommodityPrices,
    asOf: AsOf | undefined,
    info: RequestInfo,
  ): Promise<GroupView[]> {
    if (shown === null) return [];
    const filters = {
      iso3_country_codes: [iso3],
      commodity_ids: [commodityId],
      regional_average: isAverage,
      goods: false,
    };
    const { groups } = await this.groups.read({ filters, by: 'market', measure, per }, asOf, info);
    return groups.filter((group) => isOfKind(group, kindOf(shown)));
  }

  /** Other commodities of the country that are like this one, with the change of their prices. */
  private async related(
    { catalogue, rows: [own], state: { iso3 }, shown }: CountryCommodityPrices,
    asOf: AsOf | undefined,
    info: RequestInfo,
  ): Promise<RelatedCommodity[]> {
    const country = { iso3_country_codes: [iso3] };
    const rows = selectSeries(catalogue, Criteria.of(priceSeriesFilters, country)).slice();
    const names = relatedCommodities(catalogue, rows, own!);
    if (names.length === 0) return [];
    const ids = new Set(names.map(({ id }) => id));
    const place = { ...country, commodity_ids: [...ids] };
    const ofThem = rows.filter((each) => ids.has(catalogue.referenceAt('commodity', each).id));
    const prices = await this.commodities.read(place, catalogue, ofThem, asOf, info);
    const newest = newestPriceMonth(shown === null ? prices : [...prices, { group: shown }]);
    const changes = new Map(
      prices
        .filter((price) => !isOldPrice(price, newest))
        .map(({ id, group }) => [id, group.change.change_12m]),
    );
    return names.map(({ id, name }) => ({ id, name, changeInYear: changes.get(id) ?? null }));
  }
}

const byName = (groups: readonly GroupView[]): GroupView[] =>
  groups.toSorted((one, other) => String(one.fields.market).localeCompare(String(other.fields.market), 'en'));

/** 404 where a country has no series of a commodity, or where one of the two is none. */
function noSuchPrices(catalogue: CatalogueSnapshot, code: string, text: string): Promise<NoSuchPage> {
  const commodities = catalogue.dictionaries.of('commodity');
  const index = commodities.indexOf(idOfPage(text));
  const commodity = index === undefined ? text : commodities.at(index).name;
  return noSuchName(catalogue, commodity, countryLabel(catalogue, countryOfPage(code)) || code);
}
