import { Controller } from '@nestjs/common';
import type { RequestInfo } from '../../platform/http/request.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { ChartController, type PageChart } from '../embed/chart.controller.js';
import type { PathParameters } from '../images/picture.controller.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { licencesOf } from '../layout/sources.js';
import { medianChart } from './country-commodity-charts.js';
import {
  countryCommodityAddress,
  type CountryCommodityQuery,
  countryCommodityQuery,
} from './country-commodity-state.js';
import { CountryCommodityViews } from './country-commodity-view.js';

/** The chart of a commodity in a country; none where no price can be given in the measure. */
@Controller()
@ExplorerPages()
@NoDeadline()
export class CountryCommodityChartController extends ChartController(
  'countries/:iso3/commodities/:id',
  countryCommodityQuery,
) {
  constructor(private readonly views: CountryCommodityViews) {
    super();
  }

  async chart(
    { iso3, id }: PathParameters,
    query: CountryCommodityQuery,
    info: RequestInfo,
  ): Promise<PageChart> {
    const view = await this.views.prices(iso3!, id!, query, info);
    return {
      chart: medianChart(view),
      address: countryCommodityAddress(view.state),
      licences: licencesOf(view.catalogue, view.rows),
      revision: view.revision,
    };
  }
}
