import { Module } from '@nestjs/common';
import { PriceSeriesModule } from '../price-series/price-series.module.js';
import { DatapointsController } from './datapoints.controller.js';
import { DatapointsService } from './datapoints.service.js';
import { SeriesMergeController } from './joins/series-merge.controller.js';
import { SeriesMerging } from './joins/series-merging.js';
import { RevisionRanges } from './history/difference-parameters.js';
import { PointVersions } from './history/point-versions.js';
import { PriceDifferences } from './history/price-differences.js';
import { PriceHistoryController } from './history/price-history.controller.js';
import { ObservationStore } from './store/observation-store.js';
import { PointCorrections } from './store/point-corrections.js';
import { PointCoverage } from './read/point-coverage.js';
import { PointReader } from './read/point-reader.js';
import { PriceListings } from './read/price-listing.js';
import { PriceLoader } from './read/price-loader.js';
import { PricesController } from './prices.controller.js';
import { PriceLimits, PricesService } from './prices.service.js';
import { SeriesRemovalController } from './series-removal.controller.js';
import { SeriesRemoval } from './series-removal.service.js';
import { RateTables } from './derive/rate-tables.js';

/** The prices of series: stored, derived, in dollars and in real terms. */
@Module({
  imports: [PriceSeriesModule],
  // In this order, because `PriceSeriePrice/{uuid}` matches `PriceSeriePrice/differences`, too.
  controllers: [
    PriceHistoryController,
    PricesController,
    DatapointsController,
    SeriesMergeController,
    SeriesRemovalController,
  ],
  providers: [
    PriceLimits,
    DatapointsService,
    ObservationStore,
    PointCorrections,
    PointCoverage,
    PointReader,
    PointVersions,
    PriceDifferences,
    PriceListings,
    PriceLoader,
    PricesService,
    RateTables,
    SeriesMerging,
    RevisionRanges,
    SeriesRemoval,
  ],
  exports: [ObservationStore, PriceListings],
})
export class PricesModule {}
