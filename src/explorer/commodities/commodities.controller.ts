import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { ReleasesService } from '../../releases/releases.service.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { commodityIndex } from './commodity-index.js';
import { commodityPage } from './commodity-page.js';
import { type CommodityQuery, commodityQuery, CommodityViews } from './commodity-view.js';

/** The pages of all commodities, and of each: its prices across countries. */
@Controller('commodities')
@ExplorerPages()
export class CommoditiesController {
  constructor(
    private readonly views: CommodityViews,
    private readonly releases: ReleasesService,
  ) {}

  /** @throws NotFound past the last page */
  @Get()
  async all(@RequestQuery(commodityQuery) query: CommodityQuery, @Req() request: Request): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.views.all(query, info);
    return pageReply(commodityIndex(view, info), info, view.revision);
  }

  /** @throws NotFound for a commodity without series */
  @Get(':id')
  @NoDeadline()
  async page(
    @Param('id') id: string,
    @RequestQuery(commodityQuery) query: CommodityQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.views.read(id, query, info);
    const releases = view.asOf === undefined ? await this.releases.of(view.catalogue, view.rows) : [];
    return pageReply(commodityPage(view, releases, info), info, view.revision);
  }
}
