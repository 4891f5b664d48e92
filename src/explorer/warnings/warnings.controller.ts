import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { Formats, NoDeadline } from '../../platform/http/routes.js';
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
    const info = infoOf(request);
    const view = await this.views.read(query, info);
    return pageReply(warningsPage(view, info), info, view.revision);
  }

  @Get('warnings.svg')
  @Formats('svg')
  @NoDeadline()
  async chart(@RequestQuery(warningsQuery) query: WarningsQuery, @Req() request: Request): Promise<Reply> {
    const info = infoOf(request);
    return this.images.svg(mapIllustration(warningsMap(await this.views.read(query, info))), info);
  }

  @Get(['warnings.preview.png', 'warnings.png'])
  @Formats('png')
  @NoDeadline()
  async image(@RequestQuery(warningsQuery) query: WarningsQuery, @Req() request: Request): Promise<Reply> {
    const info = infoOf(request);
    const map = warningsMap(await this.views.read(query, info));
    return this.images.png(mapIllustration(map), info);
  }
}
