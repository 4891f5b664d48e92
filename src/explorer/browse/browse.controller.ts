import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { contextOf } from '../../platform/http/request/request-context.js';
import { RequestQuery } from '../../platform/http/request/request-query.js';
import type { Reply } from '../../platform/http/response/reply.js';
import { FacetsService } from '../../price-series/facets/facets.service.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { browsePage } from './browse-page.js';
import { orderedRows } from './browse-rows.js';
import { type BrowseQuery, browseQuery, BrowseState } from './browse-state.js';

/** The page on which series are found, by every filter of the API. */
@Controller('browse')
@ExplorerPages()
export class BrowseController {
  constructor(
    private readonly series: PriceSeriesService,
    private readonly facets: FacetsService,
  ) {}

  @Get()
  async page(@RequestQuery(browseQuery) query: BrowseQuery, @Req() request: Request): Promise<Reply> {
    const context = contextOf(request);
    const { order, page = 1, ...filters } = query;
    const { counts, revision } = await this.facets.count(filters, undefined);
    const selection = await this.series.select(Criteria.of(priceSeriesFilters, filters));
    const rows = await orderedRows(selection, order);
    const state = new BrowseState(context.query);
    const { catalogue } = selection;
    return pageReply(browsePage({ state, counts, catalogue, rows, page }, context.origin), context, revision);
  }
}
