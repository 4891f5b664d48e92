import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '../../platform/errors/api-error.js';
import { infoOf, type RequestInfo } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { Formats, NoDeadline } from '../../platform/http/routes.js';
import { addressOf } from '../../web/address.js';
import { ReleasesService } from '../../releases/releases.service.js';
import { Images } from '../../web/images/images.js';
import { type PictureQuery, pictureQuery } from '../../web/images/picture-query.js';
import { chartIllustration, type Illustration } from '../../web/images/picture.js';
import { licencesOf } from '../layout/sources.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { texts } from '../texts.js';
import { commodityChart } from './commodity-charts.js';
import { commodityIndex } from './commodity-index.js';
import { commodityPage } from './commodity-page.js';
import { type CommodityQuery, commodityQuery, CommodityViews } from './commodity-view.js';

const commodityPictureQuery = pictureQuery(commodityQuery);

/** The pages of all commodities, and of each: its prices across countries. */
@Controller('commodities')
@ExplorerPages()
export class CommoditiesController {
  constructor(
    private readonly views: CommodityViews,
    private readonly releases: ReleasesService,
    private readonly images: Images,
  ) {}

  /** @throws NotFound past the last page */
  @Get()
  async all(@RequestQuery(commodityQuery) query: CommodityQuery, @Req() request: Request): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.views.all(query, info);
    return pageReply(commodityIndex(view, info), info, view.revision);
  }

  @Get(':id.svg')
  @Formats('svg')
  @NoDeadline()
  async chart(
    @Param('id') id: string,
    @RequestQuery(commodityPictureQuery) query: CommodityQuery & PictureQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    return this.images.svg(await this.illustration(id, query, info), info, query);
  }

  @Get([':id.preview.png', ':id.png'])
  @Formats('png')
  @NoDeadline()
  async image(
    @Param('id') id: string,
    @RequestQuery(commodityPictureQuery) query: CommodityQuery & PictureQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    return this.images.png(await this.illustration(id, query, info), info, query);
  }

  /** @throws NotFound for a commodity without series */
  @Get(':id')
  @NoDeadline()
  async page(
    @Param('id') id: string,
    @RequestQuery(commodityQuery) query: CommodityQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.views.read(id, query, info);
    const releases = view.asOf === undefined ? await this.releases.of(view.catalogue, view.rows) : [];
    return pageReply(commodityPage(view, releases, info), info, view.revision);
  }

  /** @throws NotFound where none of the prices can be compared, and as the page */
  private async illustration(id: string, query: CommodityQuery, info: RequestInfo): Promise<Illustration> {
    const view = await this.views.read(id, query, info);
    const chart = commodityChart(view);
    if (chart === null) throw new NotFound(texts.images.noChart);
    return chartIllustration(chart, view.revision, {
      address: addressOf(`/commodities/${view.id}`, { as_of: view.asOf }),
      licences: licencesOf(view.catalogue, view.rows),
    });
  }
}
