import { Injectable } from '@nestjs/common';
import { SeriesLoader } from '../../analysis/series-loader.js';
import { asOfParameter } from '../../ledger/revision/as-of.js';
import { monthOf } from '../../lib/dates/calendar-date.js';
import { NotFound } from '../../platform/errors/api-error.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { pageParameters } from '../../platform/listing/page.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { countryLabel } from '../countries/country-label.js';
import { type GroupView, GroupViews } from '../groups/group-views.js';
import { monthToday } from '../layout/age.js';
import { asOfText } from '../series/series-state.js';

/** What the page of a commodity is asked for. */
export const commodityQuery = new QuerySchema({ as_of: asOfParameter, page: pageParameters.page });
export type CommodityQuery = QueryValues<typeof commodityQuery.parameters>;

/** What the page of a commodity is made of. */
export interface CommodityView {
  id: number;
  name: string;
  /** By country, price type and unit. */
  groups: readonly GroupView[];
  series: number;
  catalogue: CatalogueSnapshot;
  /** The series in the catalogue. */
  rows: Uint32Array;
  countries: number;
  /** The newest month with a price of it (a month number); null without one. */
  newest: number | null;
  /** The month of today. */
  today: number;
  countryLabel: (iso3: string) => string;
  /** As the address says it. */
  asOf: string | undefined;
  revision: number;
  page: number;
}

/** Loads what the page of a commodity shows, by the services of the API. */
@Injectable()
export class CommodityViews {
  constructor(
    private readonly loader: SeriesLoader,
    private readonly groups: GroupViews,
  ) {}

  /**
   * @param text the id, as the address says it
   * @throws NotFound for what is no id, or a commodity without series
   * @throws ValidationError for a revision that does not exist
   */
  async read(
    text: string,
    { as_of: asOf, page = 1 }: CommodityQuery,
    info: RequestInfo,
  ): Promise<CommodityView> {
    if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new NotFound();
    const filters = { commodity_ids: [Number(text)] };
    const criteria = Criteria.of(priceSeriesFilters, filters);
    const { catalogue, rows } = await this.loader.select(
      criteria,
      { asOf, firstPublished: false },
      info.signal,
    );
    const [row] = rows;
    if (row === undefined) throw new NotFound();
    const { id, name } = catalogue.referenceAt('commodity', row);
    const { countryOf } = catalogue.dictionaries.marketIndex;
    const { groups, revision } = await this.groups.read({ filters, by: 'country' }, asOf, info);
    return {
      id,
      name,
      groups,
      series: rows.length,
      catalogue,
      rows,
      newest: newestMonth(catalogue, rows),
      today: monthToday(info),
      countries: new Set(Array.from(rows, (each) => countryOf[catalogue.columns.market[each]!]!)).size,
      countryLabel: (iso3: string) => countryLabel(catalogue, iso3),
      asOf: asOfText(asOf),
      revision,
      page,
    };
  }
}

function newestMonth({ columns }: CatalogueSnapshot, rows: Uint32Array): number | null {
  const day = rows.reduce((newest, row) => Math.max(newest, columns.last_day[row]!), 0);
  return day === 0 ? null : monthOf(day);
}
