import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { commodityChart } from '../commodities/commodity-charts.js';
import { type CommodityQuery, commodityQuery, CommodityViews } from '../commodities/commodity-view.js';
import { compareChart, hasChart } from '../compare/compare-chart.js';
import { compareAddress, type CompareQuery, compareQuery, requireSeries } from '../compare/compare-state.js';
import { CompareViews } from '../compare/compare-view.js';
import { mainChart } from '../countries/country-charts.js';
import { type CountryQuery, countryQuery, CountryViews } from '../countries/country-view.js';
import { medianChart } from '../country-commodity/country-commodity-charts.js';
import {
  countryCommodityAddress,
  type CountryCommodityQuery,
  countryCommodityQuery,
} from '../country-commodity/country-commodity-state.js';
import { CountryCommodityViews } from '../country-commodity/country-commodity-view.js';
import { addressOf } from '../../web/address.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { seriesChart } from '../series/series-chart.js';
import { seriesAddress, type SeriesPageQuery, seriesQuery } from '../series/series-state.js';
import { SeriesViews } from '../series/series-view.js';
import { embedReply } from './embed.js';

/** Charts of pages in the frames of other sites; the parameters are those of the pages. */
@Controller('embed')
@ExplorerPages()
export class EmbedController {
  constructor(
    private readonly series: SeriesViews,
    private readonly comparisons: CompareViews,
    private readonly countries: CountryViews,
    private readonly commodities: CommodityViews,
    private readonly countryCommodities: CountryCommodityViews,
  ) {}

  @Get('series/:uuid')
  async ofSeries(
    @Param('uuid') uuid: string,
    @RequestQuery(seriesQuery) query: SeriesPageQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.series.read(uuid, query, info.signal);
    const address = seriesAddress(view.state);
    return embedReply({ chart: seriesChart(view), address, revision: view.revision }, info);
  }

  /**
   * @throws ValidationError without series
   * @throws NotFound where one chart cannot show them
   */
  @Get('compare')
  async ofComparison(
    @RequestQuery(compareQuery) query: CompareQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    requireSeries(query);
    const view = await this.comparisons.read(query, info);
    const chart = hasChart(view) ? compareChart(view) : null;
    return embedReply({ chart, address: compareAddress(query), revision: view.revision }, info);
  }

  /** @throws NotFound for a country without prices, and as the page */
  @Get('countries/:iso3')
  @NoDeadline()
  async ofCountry(
    @Param('iso3') code: string,
    @RequestQuery(countryQuery) query: CountryQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.countries.pricesOf(code, query, info);
    const address = addressOf(`/countries/${view.iso3}`, { as_of: view.asOf });
    return embedReply({ chart: mainChart(view), address, revision: view.revision }, info);
  }

  /** @throws NotFound where no price can be given in the measure, and as the page */
  @Get('countries/:iso3/commodities/:id')
  @NoDeadline()
  async ofCountryCommodity(
    @Param('iso3') code: string,
    @Param('id') id: string,
    @RequestQuery(countryCommodityQuery) query: CountryCommodityQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.countryCommodities.prices(code, id, query, info);
    const address = countryCommodityAddress(view.state);
    return embedReply({ chart: medianChart(view), address, revision: view.revision }, info);
  }

  /** @throws NotFound where none of the prices can be compared, and as the page */
  @Get('commodities/:id')
  @NoDeadline()
  async ofCommodity(
    @Param('id') id: string,
    @RequestQuery(commodityQuery) query: CommodityQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.commodities.read(id, query, info);
    const address = addressOf(`/commodities/${view.id}`, { as_of: view.asOf });
    return embedReply({ chart: commodityChart(view), address, revision: view.revision }, info);
  }
}
