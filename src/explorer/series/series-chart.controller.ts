import { Controller } from '@nestjs/common';
import type { RequestInfo } from '../../platform/http/request.js';
import { ChartController, type PageChart } from '../embed/chart.controller.js';
import type { PathParameters } from '../images/picture.controller.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { seriesChart } from './series-chart.js';
import { seriesAddress, type SeriesPageQuery, seriesQuery } from './series-state.js';
import { SeriesViews } from './series-view.js';

/** The chart of a series. */
@Controller()
@ExplorerPages()
export class SeriesChartController extends ChartController('series/:uuid', seriesQuery) {
  constructor(private readonly views: SeriesViews) {
    super();
  }

  async chart({ uuid }: PathParameters, query: SeriesPageQuery, info: RequestInfo): Promise<PageChart> {
    const view = await this.views.read(uuid!, query, info.signal);
    const { state, source, revision } = view;
    return { chart: seriesChart(view), address: seriesAddress(state), licences: source.license, revision };
  }
}
