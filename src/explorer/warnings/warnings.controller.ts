import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { month, monthNumber } from '../../analysis/analysis.parameters.js';
import { goodsFilter, withGoods } from '../../analysis/goods.parameter.js';
import { WARNING_GROUPS } from '../../analysis/warnings/warning-groups.js';
import { type WarningRow, WarningsService } from '../../analysis/warnings/warnings.service.js';
import { contextOf } from '../../platform/http/request/request-context.js';
import { RequestQuery } from '../../platform/http/request/request-query.js';
import type { Reply } from '../../platform/http/response/reply.js';
import { NoDeadline } from '../../platform/http/routes/route-decorators.js';
import { pageParameters } from '../../platform/listing/page.js';
import { choice, one } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { warningsPage } from './warnings-page.js';

/** Rows on one page. */
const PAGE_SIZE = 100;

const filters = { iso3_country_codes: priceSeriesFilters.iso3_country_codes, ...goodsFilter };

/** What the page is asked for; the names are those of the API. */
export const warningsQuery = new QuerySchema({
  by: one(choice(WARNING_GROUPS), 'What a row is about.'),
  month: one(month, 'This month, in place of the newest of each country.'),
  iso3_country_codes: filters.iso3_country_codes,
  page: pageParameters.page,
});

/** The page of warnings: how many series of each country have high prices. */
@Controller('warnings')
@ExplorerPages()
export class WarningsPageController {
  constructor(private readonly warnings: WarningsService) {}

  @Get()
  @NoDeadline()
  async page(
    @RequestQuery(warningsQuery) query: QueryValues<typeof warningsQuery.parameters>,
    @Req() request: Request,
  ): Promise<Reply> {
    const context = contextOf(request);
    const { by = 'country', month: asked, page = 1, iso3_country_codes } = query;
    const list = await this.warnings.list(
      {
        grouping: by,
        criteria: Criteria.of(filters, withGoods({ iso3_country_codes, goods: undefined })),
        month: asked === undefined ? null : monthNumber(asked),
        range: null,
        view: { asOf: undefined, firstPublished: false },
        page: { page, pageSize: PAGE_SIZE },
      },
      context.signal,
      context.expectItems,
    );
    const rows: WarningRow[] = [];
    for await (const batch of list.batches) rows.push(...batch);
    const { catalogue, revision } = list;
    const lastPage = typeof list.page === 'object' ? list.page.lastPage : 1;
    const countries = iso3_country_codes?.join(',');
    const view = { catalogue, rows, by, month: asked, countries, page, lastPage };
    return pageReply(warningsPage(view, context.origin), context, revision);
  }
}
