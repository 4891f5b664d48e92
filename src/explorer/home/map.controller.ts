import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { Formats } from '../../platform/http/routes.js';
import { noParameters } from '../../platform/validation/query-schema.js';
import { Images } from '../../web/images/images.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { mapIllustration } from '../map/world-map.js';
import { HomePage } from './home-page.js';

/** The map of the start page as files. */
@Controller()
@ExplorerPages()
export class MapController {
  constructor(
    private readonly home: HomePage,
    private readonly images: Images,
  ) {}

  @Get('map.svg')
  @Formats('svg')
  async chart(@RequestQuery(noParameters) _: object, @Req() request: Request): Promise<Reply> {
    const info = infoOf(request);
    return this.images.svg(mapIllustration(await this.home.map(info)), info);
  }

  @Get(['map.preview.png', 'map.png'])
  @Formats('png')
  async image(@RequestQuery(noParameters) _: object, @Req() request: Request): Promise<Reply> {
    const info = infoOf(request);
    return this.images.png(mapIllustration(await this.home.map(info)), info);
  }
}
