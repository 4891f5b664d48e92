import { Injectable } from '@nestjs/common';
import { observationRange } from '../../analysis/analysis.parameters.js';
import { foodFilter } from '../../analysis/goods.parameter.js';
import { SeriesLoader } from '../../analysis/series-loader.js';
import { type PriceTable, PriceTableService } from '../../analysis/tables/price-table.service.js';
import { TIME_AXES } from '../../analysis/tables/time-axis.js';
import { type CountryMonths, countryMonths } from '../../analysis/warnings/country-months.js';
import { type WarningRow, WarningsService } from '../../analysis/warnings/warnings.service.js';
import { asOfParameter } from '../../ledger/revision/as-of.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { NotFound } from '../../platform/errors/api-error.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { selectSeries } from '../../price-series/catalogue/selection.js';
import { uuids as uuidsCondition } from '../../price-series/filters/conditions.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import type { Finding } from '../../quality/finding.dto.js';
import { FindingsService } from '../../quality/findings.service.js';
import { type GroupView, GroupViews } from '../groups/group-views.js';
import { monthToday } from '../layout/age.js';
import { rowsOf } from '../warnings/warning-rows.js';
import { asOfText } from '../series/series-state.js';
import { contentsOf, type CountryContents } from './country-contents.js';
import { countryLabel } from './country-label.js';
import { type CountryIndex, CountryRates, type MonthlyRates } from './country-rates.js';
import { type MainCommodity, mainCommodities } from './main-series.js';

/** Commodities whose aggregates and prices are shown. */
const MOST_COMMODITIES = 6;

/** Series of a country of which warnings are calculated for its page alone. */
const MOST_CALCULATED = 5000;
/** Findings that are listed. */
const MOST_FINDINGS = 5;

/** What the page of a country is asked for. */
export const countryQuery = new QuerySchema({ as_of: asOfParameter });
export type CountryQuery = QueryValues<typeof countryQuery.parameters>;

/** Open findings of a country. */
export interface OpenFindings {
  readonly count: number;
  readonly newest: readonly Finding[];
}

/** What the page of a country is made of. */
export interface CountryView {
  iso3: string;
  name: string;
  catalogue: CatalogueSnapshot;
  revision: number;
  /** As the address says it. */
  asOf: string | undefined;
  series: number;
  /** Their rows of the catalogue. */
  rows: Uint32Array;
  markets: number;
  newestDate: string | null;
  /** How far the food prices of all countries reach. */
  reach: CountryMonths;
  /** The month of today (a month number). */
  today: number;
  /** The commodities with the most series. */
  commodities: readonly MainCommodity[];
  /** Of these commodities, by price type and unit. */
  groups: readonly GroupView[];
  /** The prices of the series that stand for them. */
  prices: PriceTable;
  /** Of the newest month, by commodity. */
  warnings: readonly WarningRow[];
  /** The currency of most series. */
  currency: string;
  rate: MonthlyRates;
  index: CountryIndex;
  /** Open findings; null where an earlier state is shown. */
  findings: OpenFindings | null;
  contents: CountryContents;
}

/** Loads what the page of a country shows, by the services of the API. */
@Injectable()
export class CountryViews {
  constructor(
    private readonly loader: SeriesLoader,
    private readonly groups: GroupViews,
    private readonly tables: PriceTableService,
    private readonly warnings: WarningsService,
    private readonly rates: CountryRates,
    private readonly findings: FindingsService,
  ) {}

  /**
   * @param code ISO alpha-3, in upper or lower case
   * @throws NotFound for what is no code, or a country without series
   * @throws ValidationError for a revision that does not exist
   */
  async read(code: string, { as_of: asOf }: CountryQuery, info: RequestInfo): Promise<CountryView> {
    if (!/^[A-Za-z]{3}$/.test(code)) throw new NotFound();
    const iso3 = code.toUpperCase();
    const {
      signal,
      permit: { expectItems },
    } = info;
    const timeSlice = new TimeSlice();
    const view = { asOf, firstPublished: false };
    const country = { iso3_country_codes: [iso3] };
    const selected = await this.loader.select(Criteria.of(priceSeriesFilters, country), view, signal);
    const { catalogue, rows, state } = selected;
    if (rows.length === 0) throw new NotFound();
    const criteria = Criteria.of({ ...priceSeriesFilters, ...foodFilter }, { ...country, goods: 'food' });
    const commodities = mainCommodities(
      catalogue,
      selectSeries(catalogue, criteria).slice(),
      MOST_COMMODITIES,
    );
    const ids = commodities.map(({ id }) => id);
    await timeSlice.yield();
    const currency = mostFrequent(catalogue, rows);
    await timeSlice.yield();
    const newest = rows.reduce((day, row) => Math.max(day, catalogue.columns.last_day[row]!), 0);
    const { groups } =
      ids.length === 0
        ? { groups: [] }
        : await this.groups.read(
            { filters: { ...country, commodity_ids: ids }, by: 'commodity' },
            asOf,
            info,
          );
    const uuids = commodities.map(({ row }) => catalogue.uuidAt(row));
    const prices = await this.tables.read(
      {
        criteria: Criteria.none.and('uuids', uuids, uuidsCondition),
        filters: [],
        settings: PUBLISHED_MONTHS,
        ...observationRange({}),
        view,
      },
      signal,
      expectItems,
    );
    const grouping = 'country,commodity' as const;
    // Those of today are kept of all series. Where they are not there yet, these few do not wait.
    const warned =
      rows.length > MOST_CALCULATED ? view : { ...view, asOf: asOf ?? { revision: selected.revision } };
    const warnings = await this.warnings.list(
      { grouping, criteria, month: null, range: null, view: warned, page: null },
      signal,
      expectItems,
    );
    const warningRows = await rowsOf(warnings);
    await timeSlice.yield();
    const markets = new Set(Array.from(rows, (row) => catalogue.columns.market[row]!)).size;
    await timeSlice.yield();
    return {
      iso3,
      name: countryLabel(catalogue, iso3),
      catalogue,
      revision: selected.revision,
      asOf: asOfText(asOf),
      series: rows.length,
      rows,
      markets,
      newestDate: newest === 0 ? null : isoFromDay(newest),
      reach: await countryMonths(catalogue),
      today: monthToday(info),
      commodities,
      groups,
      prices,
      warnings: warningRows,
      currency,
      rate: await this.rates.rate(state, currency, signal),
      index: await this.rates.index(state, iso3, signal),
      contents: contentsOf(catalogue, rows),
      findings: asOf === undefined ? await this.openFindings(iso3) : null,
    };
  }

  private async openFindings(iso3: string): Promise<OpenFindings> {
    const filters = { iso3_country_codes: [iso3], state: ['open' as const] };
    const { count, items } = await this.findings.page(filters, { page: 1, pageSize: MOST_FINDINGS });
    return { count, newest: items };
  }
}

/** Monthly prices per published unit. */
const PUBLISHED_MONTHS = {
  axis: TIME_AXES.monthly,
  measure: 'nominal',
  per: 'unit',
  aggregation: 'avg',
  transformation: 'lin',
  base: null,
} as const;

/** The currency that occurs most; of as many, the first. */
function mostFrequent({ columns, currencies }: CatalogueSnapshot, rows: Uint32Array): string {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(columns.currency[row]!, (counts.get(columns.currency[row]!) ?? 0) + 1);
  return currencies[[...counts].sort(([, one], [, other]) => other - one)[0]![0]]!;
}
