import { Get, Inject, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { infoOf, type RequestInfo } from '../../platform/http/request.js';
import { Formats } from '../../platform/http/routes.js';
import type { QuerySchema } from '../../platform/validation/query-schema.js';
import { Images } from '../../web/images/images.js';
import type { PictureQuery } from '../../web/images/picture-query.js';
import type { Illustration } from '../../web/images/picture.js';

/** What the address of a page names: `uuid`, `iso3`. */
export type PathParameters = Readonly<Record<string, string>>;

/**
 * The picture of a page as SVG, as PNG and for previews of links, to be extended: `class
 * MapController extends PictureController('map', noParameters)`. In modules it stands before the
 * controller of the page, whose path may also match that of the picture. A class factory, because
 * decorators need the path.
 * @param path of the page
 * @param schema of the query of the picture
 */
export function PictureController<Query extends object>(path: string, schema: QuerySchema) {
  abstract class Controller {
    @Inject(Images) private readonly images!: Images;

    /** What the pictures show. @throws NotFound as the page */
    abstract illustration(params: PathParameters, query: Query, info: RequestInfo): Promise<Illustration>;

    @Get(`${path}.svg`)
    @Formats('svg')
    async svg(
      @Param() params: PathParameters,
      @RequestQuery(schema) query: Query & PictureQuery,
      @Req() request: Request,
    ): Promise<Reply> {
      const info = infoOf(request);
      return this.images.svg(await this.illustration(params, query, info), info, query);
    }

    @Get([`${path}.preview.png`, `${path}.png`])
    @Formats('png')
    async png(
      @Param() params: PathParameters,
      @RequestQuery(schema) query: Query & PictureQuery,
      @Req() request: Request,
    ): Promise<Reply> {
      const info = infoOf(request);
      return this.images.png(await this.illustration(params, query, info), info, query);
    }
  }
  return Controller;
}
