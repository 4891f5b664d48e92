import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '../../platform/errors/api-error.js';
import { contextOf } from '../../platform/http/request/request-context.js';
import { RequestQuery } from '../../platform/http/request/request-query.js';
import type { Reply } from '../../platform/http/response/reply.js';
import { compareChart, hasChart } from '../compare/compare-chart.js';
import { compareAddress, type CompareQuery, compareQuery, requireSeries } from '../compare/compare-state.js';
import { CompareViews } from '../compare/compare-view.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { seriesChart } from '../series/series-chart.js';
import { seriesAddress, type SeriesQuery, seriesQuery } from '../series/series-state.js';
import { SeriesViews } from '../series/series-view.js';
import { texts } from '../texts.js';
import { embedReply } from './embed.js';

/** Charts of pages in the frames of other sites; the parameters are those of the pages. */
@Controller('embed')
@ExplorerPages()
export class EmbedController {
  constructor(
    private readonly series: SeriesViews,
    private readonly comparisons: CompareViews,
  ) {}

  @Get('series/:uuid')
  async ofSeries(
    @Param('uuid') uuid: string,
    @RequestQuery(seriesQuery) query: SeriesQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const context = contextOf(request);
    const view = await this.series.read(uuid, query, context.signal);
    const chart = seriesChart(view);
    const address = seriesAddress(view.state);
    return embedReply({ title: chart.title, chart, address, revision: view.revision }, context);
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
    const context = contextOf(request);
    requireSeries(query);
    const view = await this.comparisons.read(query, context);
    if (!hasChart(view)) throw new NotFound(texts.images.noChart);
    const chart = compareChart(view);
    return embedReply(
      { title: chart.title, chart, address: compareAddress(query), revision: view.revision },
      context,
    );
  }
}
