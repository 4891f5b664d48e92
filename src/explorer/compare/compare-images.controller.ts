import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '../../platform/errors/api-error.js';
import { infoOf, type RequestInfo } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { Formats } from '../../platform/http/routes.js';
import { Images } from '../../web/images/images.js';
import { type PictureQuery, pictureQuery } from '../../web/images/picture-query.js';
import { chartIllustration, type Illustration } from '../../web/images/picture.js';
import { licencesOf } from '../layout/sources.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { texts } from '../texts.js';
import { compareChart, hasChart } from './compare-chart.js';
import { compareAddress, type CompareQuery, compareQuery, requireSeries } from './compare-state.js';
import { CompareViews } from './compare-view.js';

const comparePictureQuery = pictureQuery(compareQuery);

/** The chart of several series as files. */
@Controller()
@ExplorerPages()
export class CompareImagesController {
  constructor(
    private readonly views: CompareViews,
    private readonly images: Images,
  ) {}

  @Get('compare.svg')
  @Formats('svg')
  async chart(
    @RequestQuery(comparePictureQuery) query: CompareQuery & PictureQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    return this.images.svg(await this.illustration(query, info), info, query);
  }

  @Get(['compare.preview.png', 'compare.png'])
  @Formats('png')
  async image(
    @RequestQuery(comparePictureQuery) query: CompareQuery & PictureQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    return this.images.png(await this.illustration(query, info), info, query);
  }

  /**
   * @throws ValidationError without series, and as the page
   * @throws NotFound where one chart cannot show them
   */
  private async illustration(query: CompareQuery, info: RequestInfo): Promise<Illustration> {
    requireSeries(query);
    const view = await this.views.read(query, info);
    if (!hasChart(view)) throw new NotFound(texts.images.noChart);
    const rows = view.series.map(({ row }) => row);
    return chartIllustration(compareChart(view), view.revision, {
      address: compareAddress(query),
      licences: licencesOf(view.catalogue, rows),
    });
  }
}
