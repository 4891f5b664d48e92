import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { SeriesLoader } from '../../analysis/series-loader.js';
import { asOfParameter } from '../../database/revision/as-of.js';
import { NotFound } from '../../platform/errors/api-error.js';
import { contextOf, type RequestContext } from '../../platform/http/request/request-context.js';
import { RequestQuery } from '../../platform/http/request/request-query.js';
import type { Reply } from '../../platform/http/response/reply.js';
import { Formats, NoDeadline } from '../../platform/http/routes/route-decorators.js';
import { pageParameters } from '../../platform/listing/page.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { priceSeriesFilters } from '../../price-series/filters/price-series.filters.js';
import { countryLabel } from '../countries/country-label.js';
import { GroupViews } from '../groups/group-views.js';
import { Images } from '../images/images.js';
import { chartIllustration, type Illustration } from '../images/picture.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { pageReply } from '../layout/page.js';
import { asOfText } from '../series/series-state.js';
import { texts } from '../texts.js';
import { commodityChart, commodityPage, type CommodityView } from './commodity-page.js';

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
    private readonly images: Images,
  ) {}

  @Get(':id.svg')
  @Formats('svg')
  @NoDeadline()
  async chart(
    @Param('id') id: string,
    @RequestQuery(commodityQuery) query: CommodityQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    return this.images.svg(await this.illustration(id, query, contextOf(request)));
  }

  @Get([':id.preview.png', ':id.png'])
  @Formats('png')
  @NoDeadline()
  async image(
    @Param('id') id: string,
    @RequestQuery(commodityQuery) query: CommodityQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const context = contextOf(request);
    return this.images.png(await this.illustration(id, query, context), context);
  }

  /** @throws NotFound for a commodity without series */
  @Get(':id')
  @NoDeadline()
  async page(
    @Param('id') id: string,
    @RequestQuery(commodityQuery) query: CommodityQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const context = contextOf(request);
    const view = await this.read(id, query, context);
    return pageReply(commodityPage(view, context.origin), context, view.revision);
  }

  /** @throws NotFound where none of the prices can be compared, and as the page */
  private async illustration(
    id: string,
    query: CommodityQuery,
    context: RequestContext,
  ): Promise<Illustration> {
    const view = await this.read(id, query, context);
    const chart = commodityChart(view);
    if (chart === null) throw new NotFound(texts.images.noChart);
    return chartIllustration(chart, view.revision);
  }

  private async read(
    text: string,
    { as_of: asOf, page = 1 }: CommodityQuery,
    context: RequestContext,
  ): Promise<CommodityView> {
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
    return {
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
  }
}
