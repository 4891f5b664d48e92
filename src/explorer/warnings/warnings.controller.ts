import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { contextOf } from '../../platform/http/request/request-context.js';
import { RequestQuery } from '../../platform/http/request/request-query.js';
import type { Reply } from '../../platform/http/response/reply.js';
import { Formats, NoDeadline } from '../../platform/http/routes/route-decorators.js';
import { Images } from '../../web/images/images.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { mapIllustration } from '../map/world-map.js';
import { type WarningsQuery, warningsQuery, WarningViews } from './warning-views.js';
import { warningsMap } from './warnings-map.js';
import { warningsPage } from './warnings-page.js';

/** The page of warnings, how many series of each country have high prices, and its map as files. */
@Controller()
@ExplorerPages()
export class WarningsPageController {
  constructor(
    private readonly views: WarningViews,
    private readonly images: Images,
  ) {}

  @Get('warnings')
  @NoDeadline()
  async page(@RequestQuery(warningsQuery) query: WarningsQuery, @Req() request: Request): Promise<Reply> {
    const context = contextOf(request);
    const view = await this.views.read(query, context);
    return pageReply(warningsPage(view, context), context, view.revision);
  }

  @Get('warnings.svg')
  @Formats('svg')
  @NoDeadline()
  async chart(@RequestQuery(warningsQuery) query: WarningsQuery, @Req() request: Request): Promise<Reply> {
    const context = contextOf(request);
    return this.images.svg(mapIllustration(warningsMap(await this.views.read(query, context))), context);
  }

  @Get(['warnings.preview.png', 'warnings.png'])
  @Formats('png')
  @NoDeadline()
  async image(@RequestQuery(warningsQuery) query: WarningsQuery, @Req() request: Request): Promise<Reply> {
    const context = contextOf(request);
    const map = warningsMap(await this.views.read(query, context));
    return this.images.png(mapIllustration(map), context);
  }
}
