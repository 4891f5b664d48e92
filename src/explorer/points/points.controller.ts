import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { infoOf } from '../../platform/http/request.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { pricePointPage } from './point-page.js';
import { type PointPageQuery, pointQuery } from './point-state.js';
import { PointViews } from './point-view.js';

/** The page of a price: what it was made of and what has become of it. */
@Controller('series/:uuid/points')
@ExplorerPages()
export class PointsController {
  constructor(private readonly views: PointViews) {}

  /** @throws NotFound where the series has no such price and never had one */
  @Get(':periodicity/:date')
  async page(
    @Param('uuid') uuid: string,
    @Param('periodicity') periodicity: string,
    @Param('date') date: string,
    @RequestQuery(pointQuery) query: PointPageQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.views.read(uuid, periodicity, date, query, info.signal);
    return pageReply(pricePointPage(view, info), info, view.revision);
  }
}
