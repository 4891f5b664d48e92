import { Injectable } from '@nestjs/common';
import { foodFilter } from '../../analysis/goods.parameter.js';
import { SeriesLoader } from '../../analysis/series-loader.js';
import { type CountryMonths, countryMonths } from '../../analysis/warnings/country-months.js';
import { type WarningRow, WarningsService } from '../../analysis/warnings/warnings.service.js';
import { type AsOf, asOfParameter } from '../../ledger/revision/as-of.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { countryOfPage, noSuchCountry } from '../layout/near-pages.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import type { Finding } from '../../quality/finding.dto.js';
import { FindingsService } from '../../quality/findings.service.js';
import { type GroupView, GroupViews, type PricedView } from '../groups/group-views.js';
import { monthToday } from '../layout/age.js';
import { asOfText } from '../series/series-state.js';
import { type CommodityPrice, CommodityPrices } from '../groups/commodity-prices.js';
import { MainPrices } from '../groups/main-prices.js';
import { isOfKind, kindOf, mainFirst, readingOf } from '../groups/price-kinds.js';
import { type CountedMarket, marketsOf } from './country-markets.js';
import { countryLabel } from './country-label.js';
import { type CountryIndex, CountryRates, type PublishedValues } from './country-rates.js';

/** Series of a country of which warnings are calculated for its page alone. */
const MAX_CALCULATED = 5000;
/** Findings that are listed. */
const MAX_FINDINGS = 5;

/** What the page of a country is asked for. */
export const countryQuery = new QuerySchema({ as_of: asOfParameter });
export type CountryQuery = QueryValues<typeof countryQuery.parameters>;

/** Open findings of a country. */
interface OpenFindings {
  readonly count: number;
  readonly newest: readonly Finding[];
}

/** What pictures of a country are made of. */
export interface CountryPrices {
  readonly iso3: string;
  readonly name: string;
  readonly catalogue: CatalogueSnapshot;
  /** The rows of the catalogue that are its series. */
  readonly rows: Uint32Array;
  readonly revision: number;
  /** As the address says it. */
  readonly asOf: string | undefined;
  /** What its commodities cost, by name, kinds of one food by their markets. */
  readonly prices: readonly CommodityPrice[];
  /** Its main foods, of most series first. */
  readonly main: readonly GroupView[];
}

/** What the page of a country is made of. */
export interface CountryView extends CountryPrices {
  series: number;
  markets: readonly CountedMarket[];
  newestDate: string | null;
  /** How far the food prices of all countries reach. */
  reach: CountryMonths;
  /** The month of today (a month number). */
  today: number;
  /** Its series are more than the API puts together. */
  isLarge: boolean;
  /** Its commodities whose prices are not read for that, by name. */
  leftOut: readonly { readonly id: number; readonly name: string }[];
  /** Series whose prices are put together at most. */
  maxSeries: number;
  /** The one with most fresh prices, which maps show; null without food. */
  mapped: GroupView | null;
  /** The newest prices of that by market. */
  mappedMarkets: readonly PricedView[];
  /** Of the newest month, by commodity. */
  warnings: readonly WarningRow[];
  /** The currency of most series. */
  currency: string;
  rate: PublishedValues;
  index: CountryIndex;
  /** Open findings; null where an earlier state is shown. */
  findings: OpenFindings | null;
}

/** Loads what page and pictures of a country show, by the services of the API. */
@Injectable()
export class CountryViews {
  constructor(
    private readonly loader: SeriesLoader,
    private readonly prices: CommodityPrices,
    private readonly groups: GroupViews,
    private readonly mainPrices: MainPrices,
    private readonly warnings: WarningsService,
    private readonly rates: CountryRates,
    private readonly findings: FindingsService,
  ) {}

  /** What a picture shows; parameters and what is thrown are those of `read`. */
  async pricesOf(code: string, query: CountryQuery, info: RequestInfo): Promise<CountryPrices> {
    return this.pricesIn(await this.select(code, query, info), query, info);
  }

  /**
   * All that the page shows.
   * @param code ISO alpha-3, in upper or lower case
   * @throws NoSuchPage for what is no code, or a country without series
   * @throws ValidationError for a revision that does not exist
   */
  async read(code: string, query: CountryQuery, info: RequestInfo): Promise<CountryView> {
    const {
      signal,
      permit: { expectItems },
    } = info;
    const asOf = query.as_of;
    const timeSlice = new TimeSlice();
    const view = { asOf, firstPublished: false };
    const selected = await this.select(code, query, info);
    const { iso3, catalogue, rows, state } = selected;
    const criteria = Criteria.of(
      { ...priceSeriesFilters, ...foodFilter },
      { ...inCountry(iso3), goods: 'food' },
    );
    await timeSlice.yield();
    const currency = mostFrequent(catalogue, rows);
    await timeSlice.yield();
    const newest = rows.reduce((day, row) => Math.max(day, catalogue.columns.last_day[row]!), 0);
    const prices = await this.pricesIn(selected, query, info);
    const grouping = 'country,commodity' as const;
    // Those of today are kept of all series. Where they are not there yet, these few do not wait.
    const warned =
      rows.length > MAX_CALCULATED ? view : { ...view, asOf: asOf ?? { revision: selected.revision } };
    const warnings = await this.warnings.newest(
      { grouping, criteria, month: null, view: warned },
      signal,
      expectItems,
    );
    await timeSlice.yield();
    const markets = marketsOf(catalogue, rows);
    await timeSlice.yield();
    const [mapped] = mainFirst(prices.main);
    return {
      ...prices,
      series: rows.length,
      markets,
      newestDate: newest === 0 ? null : isoFromDay(newest),
      reach: await countryMonths(catalogue),
      today: monthToday(info),
      isLarge: rows.length > this.mainPrices.maxSeries,
      leftOut: this.mainPrices
        .leftOut('commodity', catalogue, rows)
        .map(({ row }) => catalogue.referenceAt('commodity', row))
        .sort((one, other) => one.name.localeCompare(other.name, 'en')),
      maxSeries: this.mainPrices.maxSeries,
      mapped: mapped ?? null,
      mappedMarkets: await this.marketsOf(catalogue, mapped, asOf, info),
      warnings,
      currency,
      rate: await this.rates.rate(state, currency, signal),
      index: await this.rates.index(state, iso3, signal),
      findings: asOf === undefined ? await this.openFindings(iso3) : null,
    };
  }

  private async select(code: string, { as_of: asOf }: CountryQuery, { signal }: RequestInfo) {
    const iso3 = countryOfPage(code);
    const selected = await this.loader.select(
      Criteria.of(priceSeriesFilters, inCountry(iso3)),
      { asOf, firstPublished: false },
      signal,
    );
    if (selected.rows.length === 0) throw await noSuchCountry(selected.catalogue, code);
    return { ...selected, iso3 };
  }

  private async pricesIn(
    { iso3, catalogue, rows, revision }: Pick<CountryPrices, 'iso3' | 'catalogue' | 'rows' | 'revision'>,
    { as_of: asOf }: CountryQuery,
    info: RequestInfo,
  ): Promise<CountryPrices> {
    const prices = await this.prices.read(inCountry(iso3), catalogue, rows, asOf, info);
    return {
      iso3,
      name: countryLabel(catalogue, iso3),
      catalogue,
      rows,
      revision,
      asOf: asOfText(asOf),
      prices,
      main: await this.prices.main(prices),
    };
  }

  /** The prices of a group by market, newest month alone. */
  private async marketsOf(
    catalogue: CatalogueSnapshot,
    group: GroupView | undefined,
    asOf: AsOf | undefined,
    info: RequestInfo,
  ): Promise<PricedView[]> {
    if (group === undefined) return [];
    const { isAverage, per } = readingOf(catalogue, group.rows);
    if (isAverage) return [];
    const filters = {
      iso3_country_codes: [catalogue.referenceAt('market', group.rows[0]!).iso3_country_code],
      commodity_ids: [Number(group.fields.commodity_id)],
      goods: false,
    };
    const { groups } = await this.groups.priced(
      { filters, by: 'market', measure: 'nominal', per },
      asOf,
      info,
    );
    return groups.filter((each) => isOfKind(each, kindOf(group)));
  }

  private async openFindings(iso3: string): Promise<OpenFindings> {
    const filters = { iso3_country_codes: [iso3], state: ['open' as const] };
    const { count, items } = await this.findings.page(filters, { page: 1, pageSize: MAX_FINDINGS });
    return { count, newest: items };
  }
}

const inCountry = (iso3: string) => ({ iso3_country_codes: [iso3] });

/** The currency that occurs most; of as many, the first. */
function mostFrequent({ columns, currencies }: CatalogueSnapshot, rows: Uint32Array): string {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(columns.currency[row]!, (counts.get(columns.currency[row]!) ?? 0) + 1);
  return currencies[[...counts].sort(([, one], [, other]) => other - one)[0]![0]]!;
}
