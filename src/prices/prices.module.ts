import { Module } from '@nestjs/common';
import { HttpModule } from '../platform/http/http.module.js';
import { PointFlagReader } from '../ledger/findings/point-flags.js';
import { PriceSeriesModule } from '../price-series/price-series.module.js';
import { CpiModule } from '../reference/cpi/cpi.module.js';
import { FxRateModule } from '../reference/fx-rate/fx-rate.module.js';
import { CorrectionsController } from './corrections/corrections.controller.js';
import { CorrectionsService } from './corrections/corrections.service.js';
import { DatapointsController, NewDatapointController } from './datapoints.controller.js';
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
import { PointReader } from './store/point-reader.js';
import { PriceListings } from './read/price-listing.js';
import { PriceLoader } from './read/price-loader.js';
import { PricesController } from './prices.controller.js';
import { PriceLimits, PricesService } from './prices.service.js';
import { SeriesRemovalController } from './series-removal.controller.js';
import { SeriesRemoval } from './series-removal.service.js';
import { PointChangeSets } from './store/point-change-sets.js';
import { PointExplanations } from './explain/point-explanation.js';
import { StoredParts } from './explain/stored-parts.js';
import { RateRecords } from './derive/rate-records.js';
import { RateTables } from './derive/rate-tables.js';

/** The prices of series: stored, derived, in dollars and in real terms. */
@Module({
  imports: [HttpModule, PriceSeriesModule, FxRateModule, CpiModule],
  // In this order, because `PriceSeriePrice/{uuid}` matches `PriceSeriePrice/differences`, too.
  controllers: [
    PriceHistoryController,
    PricesController,
    DatapointsController,
    NewDatapointController,
    CorrectionsController,
    SeriesMergeController,
    SeriesRemovalController,
  ],
  providers: [
    PriceLimits,
    CorrectionsService,
    DatapointsService,
    ObservationStore,
    PointCorrections,
    PointChangeSets,
    PointCoverage,
    PointExplanations,
    PointFlagReader,
    PointReader,
    PointVersions,
    PriceDifferences,
    PriceListings,
    PriceLoader,
    PricesService,
    RateRecords,
    RateTables,
    SeriesMerging,
    RevisionRanges,
    SeriesRemoval,
    StoredParts,
  ],
  exports: [
    RevisionRanges,
    PriceDifferences,
    CorrectionsService,
    DatapointsService,
    ObservationStore,
    PointExplanations,
    PointVersions,
    PriceListings,
    PriceLoader,
    PricesService,
    RateRecords,
    SeriesMerging,
  ],
})
export class PricesModule {}
