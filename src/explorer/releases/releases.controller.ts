import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { pageParameters } from '../../platform/listing/page.js';
import { choice, one } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { ReleasesService } from '../../releases/releases.service.js';
import { monthToday } from '../layout/age.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { RELEASE_ORDERS, releasesPage } from './releases-page.js';

/** What the page is asked for; the names are those of the API. */
const releasesQuery = new QuerySchema({
  iso3_country_codes: priceSeriesFilters.iso3_country_codes,
  order: one(choice(RELEASE_ORDERS), 'What comes first.'),
  page: pageParameters.page,
});

/** The page of when sources publish. */
@Controller('releases')
@ExplorerPages()
export class ReleasesPageController {
  constructor(private readonly releases: ReleasesService) {}

  /** @throws NotFound past the last page of the table */
  @Get()
  async page(
    @RequestQuery(releasesQuery) query: QueryValues<typeof releasesQuery.parameters>,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const { iso3_country_codes: codes, order = 'country', page = 1 } = query;
    const { records, revision } = await this.releases.list(
      Criteria.of(priceSeriesFilters, { iso3_country_codes: codes }),
    );
    // What is late depends on the day.
    monthToday(info);
    return pageReply(releasesPage({ records, codes: codes?.join(','), order, page }, info), info, revision);
  }
}
