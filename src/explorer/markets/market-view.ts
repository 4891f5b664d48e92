import { Injectable } from '@nestjs/common';
import { SeriesLoader } from '../../analysis/series-loader.js';
import { asOfParameter } from '../../ledger/revision/as-of.js';
import { monthOf } from '../../lib/dates/calendar-date.js';
import { greatCircle, type Place } from '../../lib/geography/great-circle.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { SeriesReferences } from '../../price-series/catalogue/reference-dictionaries.js';
import { selectSeries } from '../../price-series/catalogue/selection.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { countryLabel } from '../countries/country-label.js';
import { type CommodityPrice, CommodityPrices } from '../groups/commodity-prices.js';
import { monthToday } from '../layout/age.js';
import { idOfPage, noSuchName } from '../layout/near-pages.js';
import { asOfText } from '../series/series-state.js';

/** Near markets that are listed. */
const MAX_NEAR = 6;

/** What the page of a market is asked for. */
export const marketQuery = new QuerySchema({ as_of: asOfParameter });
export type MarketQuery = QueryValues<typeof marketQuery.parameters>;

type Market = SeriesReferences['market'];

/** A market with its distance. */
interface NearMarket {
  readonly id: number;
  readonly name: string;
  /** Kilometres; null where one of the two has no coordinates. */
  readonly distance: number | null;
}

/** What the page of a market is made of. */
export interface MarketView {
  readonly market: Market;
  readonly country: string;
  readonly catalogue: CatalogueSnapshot;
  /** Its series, as rows of the catalogue. */
  readonly rows: Uint32Array;
  readonly prices: readonly CommodityPrice[];
  /** Markets of the country, the nearest first; without coordinates those of its region. */
  readonly near: readonly NearMarket[];
  /** The month of the newest price (a month number); null without one. */
  readonly newest: number | null;
  /** The month of today (a month number). */
  readonly today: number;
  /** As the address says it. */
  readonly asOf: string | undefined;
  readonly revision: number;
}

/** Loads what the page of a market shows, by the services of the API. */
@Injectable()
export class MarketViews {
  constructor(
    private readonly loader: SeriesLoader,
    private readonly prices: CommodityPrices,
  ) {}

  /**
   * @param text the id, as the address says it
   * @throws NoSuchPage for what is no id, or a market without series
   * @throws ValidationError for a revision that does not exist
   */
  async read(text: string, { as_of: asOf }: MarketQuery, info: RequestInfo): Promise<MarketView> {
    const place = { market_ids: [idOfPage(text)] };
    const { catalogue, rows, revision } = await this.loader.select(
      Criteria.of(priceSeriesFilters, place),
      { asOf, firstPublished: false },
      info.signal,
    );
    const [row] = rows;
    if (row === undefined) throw await noSuchName(catalogue, text);
    const market = catalogue.referenceAt('market', row);
    const country = { iso3_country_codes: [market.iso3_country_code], regional_average: false };
    const others = selectSeries(catalogue, Criteria.of(priceSeriesFilters, country)).slice();
    const newest = rows.reduce((day, each) => Math.max(day, catalogue.columns.last_day[each]!), 0);
    return {
      market,
      country: countryLabel(catalogue, market.iso3_country_code),
      catalogue,
      rows,
      prices: await this.prices.read(place, catalogue, rows, asOf, info),
      near: market.regional_average ? [] : nearMarkets(catalogue, others, market),
      newest: newest === 0 ? null : monthOf(newest),
      today: monthToday(info),
      asOf: asOfText(asOf),
      revision,
    };
  }
}

const placeOf = ({ latitude, longitude }: Market): Place | null =>
  latitude === null || longitude === null ? null : { latitude, longitude };

/** @param rows the series of the country */
function nearMarkets(catalogue: CatalogueSnapshot, rows: Uint32Array, market: Market): NearMarket[] {
  const own = placeOf(market);
  const found = new Map<number, NearMarket>();
  for (const row of rows) {
    const other = catalogue.referenceAt('market', row);
    if (other.id === market.id || found.has(other.id)) continue;
    const place = placeOf(other);
    const distance = own === null || place === null ? null : greatCircle(own, place);
    const isNear =
      own === null ? other.admin_unit !== '' && other.admin_unit === market.admin_unit : distance !== null;
    if (isNear) found.set(other.id, { id: other.id, name: other.name, distance });
  }
  return [...found.values()]
    .sort(
      (one, other) => (one.distance ?? 0) - (other.distance ?? 0) || one.name.localeCompare(other.name, 'en'),
    )
    .slice(0, MAX_NEAR);
}
