import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { infoOf } from '../../platform/http/request.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { ReleasesService } from '../../releases/releases.service.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { countryCommodityPage } from './country-commodity-page.js';
import { type CountryCommodityQuery, countryCommodityQuery } from './country-commodity-state.js';
import { CountryCommodityViews } from './country-commodity-view.js';

/** The page of a commodity in a country. */
@Controller('countries/:iso3/commodities')
@ExplorerPages()
export class CountryCommodityController {
  constructor(
    private readonly views: CountryCommodityViews,
    private readonly releases: ReleasesService,
  ) {}

  /** @throws NotFound where the country has no series of the commodity */
  @Get(':id')
  @NoDeadline()
  async page(
    @Param('iso3') iso3: string,
    @Param('id') id: string,
    @RequestQuery(countryCommodityQuery) query: CountryCommodityQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.views.read(iso3, id, query, info);
    const { state, catalogue, rows } = view;
    const releases = state.asOf === undefined ? await this.releases.of(catalogue, rows) : [];
    return pageReply(countryCommodityPage(view, releases, info), info, view.revision);
  }
}
