import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { comparePage, emptyComparePage } from './compare-page.js';
import { type CompareQuery, compareQuery, uuidsOf } from './compare-state.js';
import { CompareViews } from './compare-view.js';

/** The page of several series in one chart. */
@Controller('compare')
@ExplorerPages()
export class CompareController {
  constructor(private readonly views: CompareViews) {}

  @Get()
  async page(@RequestQuery(compareQuery) query: CompareQuery, @Req() request: Request): Promise<Reply> {
    const info = infoOf(request);
    const found = await this.views.search(query, info);
    if (uuidsOf(query).length === 0) return pageReply(emptyComparePage(query, found), info);
    const view = await this.views.read(query, info);
    return pageReply(comparePage(view, found, info), info, view.revision);
  }
}
