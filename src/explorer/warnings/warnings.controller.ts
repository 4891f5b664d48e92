import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { type WarningsQuery, warningsQuery, WarningViews } from './warning-views.js';
import { warningsPage } from './warnings-page.js';

/** The page of warnings: how many series of each country have high prices. */
@Controller('warnings')
@ExplorerPages()
export class WarningsPageController {
  constructor(private readonly views: WarningViews) {}

  @Get()
  @NoDeadline()
  async page(@RequestQuery(warningsQuery) query: WarningsQuery, @Req() request: Request): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.views.read(query, info);
    return pageReply(warningsPage(view, info), info, view.revision);
  }
}
