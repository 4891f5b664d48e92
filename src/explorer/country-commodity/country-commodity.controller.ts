import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '../../platform/errors/api-error.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { infoOf, type RequestInfo } from '../../platform/http/request.js';
import { Formats, NoDeadline } from '../../platform/http/routes.js';
import { ReleasesService } from '../../releases/releases.service.js';
import { Images } from '../../web/images/images.js';
import { type PictureQuery, pictureQuery } from '../../web/images/picture-query.js';
import { chartIllustration, type Illustration } from '../../web/images/picture.js';
import { licencesOf } from '../layout/sources.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { texts } from '../texts.js';
import { medianChart } from './country-commodity-charts.js';
import { countryCommodityPage } from './country-commodity-page.js';
import {
  countryCommodityAddress,
  type CountryCommodityQuery,
  countryCommodityQuery,
} from './country-commodity-state.js';
import { CountryCommodityViews } from './country-commodity-view.js';

const countryCommodityPictureQuery = pictureQuery(countryCommodityQuery);

/** The page of a commodity in a country. */
@Controller('countries/:iso3/commodities')
@ExplorerPages()
export class CountryCommodityController {
  constructor(
    private readonly views: CountryCommodityViews,
    private readonly releases: ReleasesService,
    private readonly images: Images,
  ) {}

  @Get(':id.svg')
  @Formats('svg')
  @NoDeadline()
  async chart(
    @Param('iso3') iso3: string,
    @Param('id') id: string,
    @RequestQuery(countryCommodityPictureQuery) query: CountryCommodityQuery & PictureQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    return this.images.svg(await this.illustration(iso3, id, query, info), info, query);
  }

  @Get([':id.preview.png', ':id.png'])
  @Formats('png')
  @NoDeadline()
  async image(
    @Param('iso3') iso3: string,
    @Param('id') id: string,
    @RequestQuery(countryCommodityPictureQuery) query: CountryCommodityQuery & PictureQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    return this.images.png(await this.illustration(iso3, id, query, info), info, query);
  }

  /** @throws NotFound where the country has no series of the commodity */
  @Get(':id')
  @NoDeadline()
  async page(
    @Param('iso3') iso3: string,
    @Param('id') id: string,
    @RequestQuery(countryCommodityQuery) query: CountryCommodityQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.views.read(iso3, id, query, info);
    const { state, catalogue, rows } = view;
    const releases = state.asOf === undefined ? await this.releases.of(catalogue, rows) : [];
    return pageReply(countryCommodityPage(view, releases, info), info, view.revision);
  }

  /** @throws NotFound where no price can be given in the measure, and as the page */
  private async illustration(
    iso3: string,
    id: string,
    query: CountryCommodityQuery,
    info: RequestInfo,
  ): Promise<Illustration> {
    const view = await this.views.prices(iso3, id, query, info);
    const chart = medianChart(view);
    if (chart === null) throw new NotFound(texts.images.noChart);
    return chartIllustration(chart, view.revision, {
      address: countryCommodityAddress(view.state),
      licences: licencesOf(view.catalogue, view.rows),
    });
  }
}
