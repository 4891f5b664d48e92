import { Module } from '@nestjs/common';
import { PricesModule } from '../prices/prices.module.js';
import { PriceExplanations } from './explain/price-explanation.js';
import { AggregateExplanations } from './aggregates/aggregate-explanations.js';
import { AggregatesController } from './aggregates/aggregates.controller.js';
import { AggregateLimits, AggregatesService } from './aggregates/aggregates.service.js';
import { IndicatorLimits, IndicatorListService } from './indicators/indicator-list.service.js';
import { IndicatorStore } from './indicators/store/indicator-store.js';
import { IndicatorWarmup } from './indicators/store/indicator-warmup.js';
import { PriceSeriesModule } from '../price-series/price-series.module.js';
import { IndicatorsController } from './indicators/indicators.controller.js';
import { IndicatorsService } from './indicators/indicators.service.js';
import { ComparisonService } from './comparisons/comparison.service.js';
import { ComparisonsController } from './comparisons/comparisons.controller.js';
import { SeriesLoader } from './series-loader.js';
import { PriceChangesController } from './changes/price-changes.controller.js';
import { PriceChangesService } from './changes/price-changes.service.js';
import { YearlyChanges } from './changes/yearly-changes.js';
import { PriceSeasonsController } from './seasons/price-seasons.controller.js';
import { PriceSeasonsService } from './seasons/price-seasons.service.js';
import { PriceTableService } from './tables/price-table.service.js';
import { TablesController } from './tables/tables.controller.js';
import { WarningChangesController } from './warnings/warning-changes.controller.js';
import { WarningChangesService } from './warnings/warning-changes.service.js';
import { WarningHistories } from './warnings/warning-histories.js';
import { WarningsController } from './warnings/warnings.controller.js';
import { WarningsService } from './warnings/warnings.service.js';

/** What is calculated from prices for analysts. */
@Module({
  imports: [PriceSeriesModule, PricesModule],
  controllers: [
    AggregatesController,
    ComparisonsController,
    IndicatorsController,
    PriceChangesController,
    PriceSeasonsController,
    TablesController,
    WarningChangesController,
    WarningsController,
  ],
  providers: [
    AggregateExplanations,
    AggregateLimits,
    AggregatesService,
    ComparisonService,
    IndicatorLimits,
    IndicatorListService,
    IndicatorStore,
    IndicatorWarmup,
    IndicatorsService,
    PriceChangesService,
    PriceExplanations,
    PriceSeasonsService,
    PriceTableService,
    SeriesLoader,
    WarningChangesService,
    WarningHistories,
    WarningsService,
    YearlyChanges,
  ],
  exports: [
    IndicatorsService,
    AggregateLimits,
    AggregatesService,
    ComparisonService,
    IndicatorStore,
    PriceChangesService,
    PriceTableService,
    SeriesLoader,
    WarningChangesService,
    WarningsService,
    YearlyChanges,
  ],
})
export class AnalysisModule {}
