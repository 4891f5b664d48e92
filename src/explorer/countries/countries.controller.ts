import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { ReleasesService } from '../../releases/releases.service.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { countryPage } from './country-page.js';
import { type CountryQuery, countryQuery, CountryViews } from './country-view.js';

/** The page of a country: its prices, warnings, exchange rate and consumer price index. */
@Controller('countries')
@ExplorerPages()
export class CountriesPageController {
  constructor(
    private readonly views: CountryViews,
    private readonly releases: ReleasesService,
  ) {}

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
}
