import { Controller } from '@nestjs/common';
import type { RequestInfo } from '../../platform/http/request.js';
import { ChartController, type PageChart } from '../embed/chart.controller.js';
import type { PathParameters } from '../images/picture.controller.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { licencesOf } from '../layout/sources.js';
import { compareChart, hasChart } from './compare-chart.js';
import { compareAddress, type CompareQuery, compareQuery, requireSeries } from './compare-state.js';
import { CompareViews } from './compare-view.js';

/** The chart of several series; none where one chart cannot show them. */
@Controller()
@ExplorerPages()
export class CompareChartController extends ChartController('compare', compareQuery) {
  constructor(private readonly views: CompareViews) {
    super();
  }

  /** @throws ValidationError without series, and as the page */
  async chart(_: PathParameters, query: CompareQuery, info: RequestInfo): Promise<PageChart> {
    requireSeries(query);
    const view = await this.views.read(query, info);
    const rows = view.series.map(({ row }) => row);
    return {
      chart: hasChart(view) ? compareChart(view) : null,
      address: compareAddress(query),
      licences: licencesOf(view.catalogue, rows),
      revision: view.revision,
    };
  }
}
