import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { infoOf } from '../../platform/http/request.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { marketPage } from './market-page.js';
import { type MarketQuery, marketQuery, MarketViews } from './market-view.js';

/** The page of a market: what food costs there. */
@Controller('markets')
@ExplorerPages()
export class MarketsPageController {
  constructor(private readonly views: MarketViews) {}

  /** @throws NotFound for a market without series */
  @Get(':id')
  @NoDeadline()
  async page(
    @Param('id') id: string,
    @RequestQuery(marketQuery) query: MarketQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.views.read(id, query, info);
    return pageReply(marketPage(view, info), info, view.revision);
  }
}
