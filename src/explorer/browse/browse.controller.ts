import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { IndicatorStore } from '../../analysis/indicators/store/indicator-store.js';
import { countryMonths } from '../../analysis/warnings/country-months.js';
import { monthlyColumn } from '../../analysis/price-columns.js';
import { type SelectedSeries, SeriesLoader } from '../../analysis/series-loader.js';
import { firstDayOfMonth } from '../../lib/dates/calendar-date.js';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { FacetsService } from '../../price-series/facets/facets.service.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { MONTHLY } from '../../price-series/periodicity.js';
import { PointWindow } from '../../prices/read/point-window.js';
import type { ChartPoint } from '../../web/chart/segments.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { monthToday } from '../layout/age.js';
import { pageReply } from '../layout/page.js';
import { orderedRows } from './browse-order.js';
import { browsePage, SERIES_PER_PAGE } from './browse-page.js';
import { type BrowseQuery, browseQuery, BrowseState } from './browse-state.js';
import { ticksOf } from './browse-ticks.js';
import { findSeries } from './find-series.js';
import { hintsFor } from './nothing-found.js';

/** Newest months of which the line of a series is drawn. */
const TREND_MONTHS = 36;

/** The page on which series are found, by every filter of the API. */
@Controller('browse')
@ExplorerPages()
export class BrowseController {
  constructor(
    private readonly loader: SeriesLoader,
    private readonly facets: FacetsService,
    private readonly indicators: IndicatorStore,
  ) {}

  /** @throws NotFound past the last page */
  @Get()
  async page(@RequestQuery(browseQuery) query: BrowseQuery, @Req() request: Request): Promise<Reply> {
    const info = infoOf(request);
    const { order, page = 1, as_of: asOf, compare = [], tick, ...filters } = query;
    const literal = Criteria.of(priceSeriesFilters, filters);
    const selected = await this.loader.select(literal, { asOf, firstPublished: false }, info.signal);
    const { catalogue, revision } = selected;
    const finding = await findSeries(catalogue, filters);
    // Counts, rows and prices are of one state, however the data change meanwhile.
    const { counts } = await this.facets.count(finding.filters, { revision });
    const indicators = asOf === undefined ? this.indicators : null;
    const { search } = finding.filters;
    const rows = await orderedRows(catalogue, finding.criteria, order, search, indicators);
    const items = rows.slice((page - 1) * SERIES_PER_PAGE, page * SERIES_PER_PAGE);
    const trends = await this.trends({ ...selected, rows: items }, info.signal);
    const ticks = ticksOf(catalogue, compare, tick);
    const state = new BrowseState(info.query, ticks.uuids);
    const hints = await hintsFor(catalogue, filters, finding, state.get('as_of'));
    const today = monthToday(info);
    const { current } = await countryMonths(catalogue);
    const view = {
      state,
      filters,
      finding,
      hints,
      counts,
      catalogue,
      rows,
      order,
      trends,
      ticks,
      page,
      revision,
      today,
      current,
    };
    return pageReply(browsePage(view, info), info, revision);
  }

  /** The newest monthly prices of series as published, oldest first, by their rows. */
  private async trends(selected: SelectedSeries, signal: AbortSignal): Promise<Map<number, ChartPoint[]>> {
    const trends = new Map<number, ChartPoint[]>();
    const window = new PointWindow([MONTHLY], 0, Infinity, TREND_MONTHS);
    for await (const { row, series } of this.loader.load(selected, window, signal)) {
      const { first, values } = monthlyColumn(series, 'nominal', 'unit');
      const points = Array.from(values, (value, index) => ({ day: firstDayOfMonth(first + index), value }));
      trends.set(
        row,
        points.filter(({ value }) => value > 0),
      );
    }
    return trends;
  }
}
