import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { contextOf } from '../../platform/http/request/request-context.js';
import { RequestQuery } from '../../platform/http/request/request-query.js';
import type { Reply } from '../../platform/http/response/reply.js';
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
    const context = contextOf(request);
    if (uuidsOf(query).length === 0) return pageReply(emptyComparePage(query), context);
    const view = await this.views.read(query, context);
    return pageReply(comparePage(view, context), context, view.revision);
  }
}
