import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { Formats } from '../../platform/http/routes.js';
import { noParameters } from '../../platform/validation/query-schema.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { Images } from '../../web/images/images.js';
import { SERVICE_ILLUSTRATION } from './service-picture.js';

/** Pictures that belong to no page. */
@Controller('images')
@ExplorerPages()
export class ImagesController {
  constructor(private readonly images: Images) {}

  /** The picture for previews of links to pages without a chart. */
  @Get('service.preview.png')
  @Formats('png')
  service(@RequestQuery(noParameters) _: object, @Req() request: Request): Promise<Reply> {
    return this.images.png(SERVICE_ILLUSTRATION, infoOf(request));
  }
}
