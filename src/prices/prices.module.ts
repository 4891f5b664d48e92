import { Module } from '@nestjs/common';
import { PriceSeriesModule } from '../price-series/price-series.module.js';
import { DatapointsController } from './datapoints.controller.js';
import { DatapointsService } from './datapoints.service.js';
import { SeriesMergeController } from './joins/series-merge.controller.js';
import { SeriesMerging } from './joins/series-merging.js';
import { ObservationStore } from './store/observation-store.js';
import { PointCorrections } from './store/point-corrections.js';
import { PointCoverage } from './read/point-coverage.js';
import { PointReader } from './read/point-reader.js';
import { PriceListings } from './read/price-listing.js';
import { PriceLoader } from './read/price-loader.js';
import { PricesController } from './prices.controller.js';
import { PriceLimits, PricesService } from './prices.service.js';
import { RateTables } from './derive/rate-tables.js';

/** The prices of series: stored, derived, in dollars and in real terms. */
@Module({
  imports: [PriceSeriesModule],
  controllers: [PricesController, DatapointsController, SeriesMergeController],
  providers: [
    PriceLimits,
    DatapointsService,
    ObservationStore,
    PointCorrections,
    PointCoverage,
    PointReader,
    PriceListings,
    PriceLoader,
    PricesService,
    RateTables,
    SeriesMerging,
  ],
  exports: [ObservationStore, PriceListings],
})
export class PricesModule {}
