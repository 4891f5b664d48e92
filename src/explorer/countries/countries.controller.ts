import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '../../platform/errors/api-error.js';
import { infoOf, type RequestInfo } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { Formats, NoDeadline } from '../../platform/http/routes.js';
import { ReleasesService } from '../../releases/releases.service.js';
import { addressOf } from '../../web/address.js';
import { Images } from '../../web/images/images.js';
import { type PictureQuery, pictureQuery } from '../../web/images/picture-query.js';
import { chartIllustration, type Illustration } from '../../web/images/picture.js';
import { licencesOf } from '../layout/sources.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { texts } from '../texts.js';
import { mainChart } from './country-charts.js';
import { countryPage } from './country-page.js';
import { type CountryQuery, countryQuery, CountryViews } from './country-view.js';

const countryPictureQuery = pictureQuery(countryQuery);

/** The page of a country: its prices, warnings, exchange rate and price index. */
@Controller('countries')
@ExplorerPages()
export class CountriesPageController {
  constructor(
    private readonly views: CountryViews,
    private readonly releases: ReleasesService,
    private readonly images: Images,
  ) {}

  @Get(':iso3.svg')
  @Formats('svg')
  @NoDeadline()
  async chart(
    @Param('iso3') iso3: string,
    @RequestQuery(countryPictureQuery) query: CountryQuery & PictureQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    return this.images.svg(await this.illustration(iso3, query, info), info, query);
  }

  @Get([':iso3.preview.png', ':iso3.png'])
  @Formats('png')
  @NoDeadline()
  async image(
    @Param('iso3') iso3: string,
    @RequestQuery(countryPictureQuery) query: CountryQuery & PictureQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    return this.images.png(await this.illustration(iso3, query, info), info, query);
  }

  /** @throws NotFound for what is no code, or a country without series */
  @Get(':iso3')
  @NoDeadline()
  async page(
    @Param('iso3') iso3: string,
    @RequestQuery(countryQuery) query: CountryQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.views.read(iso3, query, info);
    const releases = view.asOf === undefined ? await this.releases.of(view.catalogue, view.rows) : [];
    return pageReply(countryPage(view, releases, info), info, view.revision);
  }

  /** @throws NotFound for a country without prices, and as the page */
  private async illustration(iso3: string, query: CountryQuery, info: RequestInfo): Promise<Illustration> {
    const view = await this.views.pricesOf(iso3, query, info);
    const chart = mainChart(view);
    if (chart === null) throw new NotFound(texts.images.noChart);
    return chartIllustration(chart, view.revision, {
      address: addressOf(`/countries/${view.iso3}`, { as_of: view.asOf }),
      licences: licencesOf(view.catalogue, view.rows),
    });
  }
}
