import { Controller } from '@nestjs/common';
import type { RequestInfo } from '../../platform/http/request.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { addressOf } from '../../web/address.js';
import { ChartController, type PageChart } from '../embed/chart.controller.js';
import type { PathParameters } from '../images/picture.controller.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { licencesOf } from '../layout/sources.js';
import { commodityChart } from './commodity-charts.js';
import { type CommodityQuery, commodityQuery, CommodityViews } from './commodity-view.js';

/** The chart of a commodity across countries; none where no prices can be compared. */
@Controller()
@ExplorerPages()
@NoDeadline()
export class CommodityChartController extends ChartController('commodities/:id', commodityQuery) {
  constructor(private readonly views: CommodityViews) {
    super();
  }

  async chart({ id }: PathParameters, query: CommodityQuery, info: RequestInfo): Promise<PageChart> {
    const view = await this.views.read(id!, query, info);
    return {
      chart: commodityChart(view),
      address: addressOf(`/commodities/${view.id}`, { as_of: view.asOf }),
      licences: licencesOf(view.catalogue, view.rows),
      revision: view.revision,
    };
  }
}
