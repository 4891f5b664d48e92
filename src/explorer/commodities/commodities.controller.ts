import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { SeriesLoader } from '../../analysis/series-loader.js';
import { asOfParameter } from '../../database/revision/as-of.js';
import { NotFound } from '../../platform/errors/api-error.js';
import { contextOf } from '../../platform/http/request/request-context.js';
import { RequestQuery } from '../../platform/http/request/request-query.js';
import type { Reply } from '../../platform/http/response/reply.js';
import { NoDeadline } from '../../platform/http/routes/route-decorators.js';
import { pageParameters } from '../../platform/listing/page.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { countryLabel } from '../countries/country-label.js';
import { GroupViews } from '../groups/group-views.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { asOfText } from '../series/series-state.js';
import { commodityPage } from './commodity-page.js';

/** What the page of a commodity is asked for. */
const commodityQuery = new QuerySchema({ as_of: asOfParameter, page: pageParameters.page });
type CommodityQuery = QueryValues<typeof commodityQuery.parameters>;

/** The page of a commodity: its prices across countries, in dollars per kilogram or litre. */
@Controller('commodities')
@ExplorerPages()
export class CommoditiesController {
  constructor(
    private readonly loader: SeriesLoader,
    private readonly groups: GroupViews,
  ) {}

  /** @throws NotFound for a commodity without series */
  @Get(':id')
  @NoDeadline()
  async page(
    @Param('id') text: string,
    @RequestQuery(commodityQuery) { as_of: asOf, page = 1 }: CommodityQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const context = contextOf(request);
    if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new NotFound();
    const filters = { commodity_ids: [Number(text)] };
    const criteria = Criteria.of(priceSeriesFilters, filters);
    const { catalogue, rows } = await this.loader.select(
      criteria,
      { asOf, firstPublished: false },
      context.signal,
    );
    const [row] = rows;
    if (row === undefined) throw new NotFound();
    const { id, name } = catalogue.referenceAt('commodity', row);
    const { groups, revision } = await this.groups.read(filters, 'country', asOf, context);
    const view = {
      id,
      name,
      groups,
      series: rows.length,
      countries: new Set(Array.from(rows, (each) => catalogue.referenceAt('market', each).iso3_country_code))
        .size,
      countryLabel: (iso3: string) => countryLabel(catalogue, iso3),
      asOf: asOfText(asOf),
      revision,
      page,
    };
    return pageReply(commodityPage(view, context.origin), context, revision);
  }
}
