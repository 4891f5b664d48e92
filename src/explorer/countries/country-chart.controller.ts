import { Controller } from '@nestjs/common';
import type { RequestInfo } from '../../platform/http/request.js';
import { NoDeadline } from '../../platform/http/routes.js';
import { addressOf } from '../../web/address.js';
import { ChartController, type PageChart } from '../embed/chart.controller.js';
import type { PathParameters } from '../images/picture.controller.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { licencesOf } from '../layout/sources.js';
import { mainChart } from './country-charts.js';
import { type CountryQuery, countryQuery, CountryViews } from './country-view.js';

/** The chart of the main foods of a country; none without prices. */
@Controller()
@ExplorerPages()
@NoDeadline()
export class CountryChartController extends ChartController('countries/:iso3', countryQuery) {
  constructor(private readonly views: CountryViews) {
    super();
  }

  async chart({ iso3 }: PathParameters, query: CountryQuery, info: RequestInfo): Promise<PageChart> {
    const view = await this.views.pricesOf(iso3!, query, info);
    return {
      chart: mainChart(view),
      address: addressOf(`/countries/${view.iso3}`, { as_of: view.asOf }),
      licences: licencesOf(view.catalogue, view.rows),
      revision: view.revision,
    };
  }
}
