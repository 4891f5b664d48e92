import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { asOfParameter } from '../../database/revision/as-of.js';
import { NotFound } from '../../platform/errors/api-error.js';
import { contextOf } from '../../platform/http/request/request-context.js';
import { RequestQuery } from '../../platform/http/request/request-query.js';
import type { Reply } from '../../platform/http/response/reply.js';
import { NoDeadline } from '../../platform/http/routes/route-decorators.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { countryPage } from './country-page.js';
import { CountryViews } from './country-view.js';

/** What the page of a country is asked for. */
const countryQuery = new QuerySchema({ as_of: asOfParameter });

/** The page of a country: its prices, warnings, exchange rate and price index. */
@Controller('countries')
@ExplorerPages()
export class CountriesPageController {
  constructor(private readonly views: CountryViews) {}

  /** @throws NotFound for what is no code, or a country without series */
  @Get(':iso3')
  @NoDeadline()
  async page(
    @Param('iso3') iso3: string,
    @RequestQuery(countryQuery) { as_of: asOf }: QueryValues<typeof countryQuery.parameters>,
    @Req() request: Request,
  ): Promise<Reply> {
    const context = contextOf(request);
    if (!/^[A-Za-z]{3}$/.test(iso3)) throw new NotFound();
    const view = await this.views.read(iso3.toUpperCase(), asOf, context);
    return pageReply(countryPage(view, context.origin), context, view.revision);
  }
}
