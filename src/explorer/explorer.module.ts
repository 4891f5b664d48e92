import { Module } from '@nestjs/common';
import { projectFolder } from '../lib/files/project-folder.js';
import { AnalysisModule } from '../analysis/analysis.module.js';
import { EditionsModule } from '../editions/editions.module.js';
import { HistoryModule } from '../history/history.module.js';
import { PriceSeriesModule } from '../price-series/price-series.module.js';
import { PricesModule } from '../prices/prices.module.js';
import { QualityModule } from '../quality/quality.module.js';
import { ReleasesModule } from '../releases/releases.module.js';
import { ReleasesPageController } from './releases/releases.controller.js';
import { SeriesOrigins } from './series/series-origin.js';
import { PointViews } from './points/point-view.js';
import { PointsController } from './points/points.controller.js';
import { SeriesChartController } from './series/series-chart.controller.js';
import { SeriesController } from './series/series.controller.js';
import { SeriesViews } from './series/series-view.js';
import { BrowseController } from './browse/browse.controller.js';
import { CommodityChartController } from './commodities/commodity-chart.controller.js';
import { CommoditiesController } from './commodities/commodities.controller.js';
import { CommodityViews } from './commodities/commodity-view.js';
import { CompareChartController } from './compare/compare-chart.controller.js';
import { CompareController } from './compare/compare.controller.js';
import { CountryChartController } from './countries/country-chart.controller.js';
import { CountriesPageController } from './countries/countries.controller.js';
import { CountryCommodityChartController } from './country-commodity/country-commodity-chart.controller.js';
import { CountryCommodityController } from './country-commodity/country-commodity.controller.js';
import { CountryCommodityViews } from './country-commodity/country-commodity-view.js';
import { CommodityPrices } from './groups/commodity-prices.js';
import { MainPrices } from './groups/main-prices.js';
import { CountryRates } from './countries/country-rates.js';
import { CountryViews } from './countries/country-view.js';
import { CompareViews } from './compare/compare-view.js';
import { DataPageController } from './data/data.controller.js';
import { MarketViews } from './markets/market-view.js';
import { MarketsPageController } from './markets/markets.controller.js';
import { WarningViews } from './warnings/warning-views.js';
import { WarningsMapController } from './warnings/warnings-map.controller.js';
import { WarningsPageController } from './warnings/warnings.controller.js';
import { HomePage } from './home/home-page.js';
import { MapController } from './home/map.controller.js';
import { Guides } from './help/guides.js';
import { HelpController } from './help/help.controller.js';
import { GroupViews } from './groups/group-views.js';
import { IndexPagesController } from './layout/index-pages.controller.js';
import { RobotsController } from './layout/robots.controller.js';
import { AssetsController } from './layout/assets.controller.js';
import { Images } from '../web/images/images.js';
import { ImagesController } from './images/images.controller.js';
import { PngRenderer } from '../web/images/png-renderer.js';

/**
 * Pages for people, made on the server from the same services as the API. The index serves the
 * start page, because programs get a list of addresses there.
 */
@Module({
  imports: [
    AnalysisModule,
    EditionsModule,
    HistoryModule,
    PriceSeriesModule,
    PricesModule,
    QualityModule,
    ReleasesModule,
  ],
  controllers: [
    AssetsController,
    RobotsController,
    IndexPagesController,
    BrowseController,
    CommodityChartController,
    CommoditiesController,
    CompareChartController,
    CompareController,
    CountryChartController,
    CountriesPageController,
    CountryCommodityChartController,
    CountryCommodityController,
    DataPageController,
    HelpController,
    ImagesController,
    MapController,
    MarketsPageController,
    WarningsMapController,
    WarningsPageController,
    PointsController,
    ReleasesPageController,
    SeriesChartController,
    SeriesController,
  ],
  providers: [
    CommodityPrices,
    MainPrices,
    CommodityViews,
    CompareViews,
    CountryCommodityViews,
    CountryRates,
    CountryViews,
    GroupViews,
    { provide: Guides, useFactory: () => new Guides(projectFolder('docs')) },
    HomePage,
    Images,
    MarketViews,
    PngRenderer,
    PointViews,
    SeriesOrigins,
    SeriesViews,
    WarningViews,
  ],
  exports: [HomePage, SeriesViews],
})
export class ExplorerModule {}
