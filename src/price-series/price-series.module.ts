import { Module } from '@nestjs/common';
import { MetricsRegistry } from '../platform/metrics/metrics-registry.js';
import { MetricsModule } from '../platform/metrics/metrics.module.js';
import { DatabaseConnector } from '../database/database-connector.js';
import { SeriesCatalogue } from './catalogue/catalogue.js';
import { recordMergeControllers } from './merging/record-merge.controller.js';
import { RecordMerging } from './merging/record-merging.js';
import { CountriesController } from './countries/countries.controller.js';
import { FacetsController } from './facets/facets.controller.js';
import { FacetsService } from './facets/facets.service.js';
import { PriceSeriesController } from './price-series.controller.js';
import { PriceSeriesService } from './price-series.service.js';
import { SuggestionsController } from './suggestions/suggestions.controller.js';

/** Lists of price series. Prices and the FPMA-compatible routes read series through its service. */
@Module({
  imports: [MetricsModule],
  controllers: [
    PriceSeriesController,
    FacetsController,
    CountriesController,
    SuggestionsController,
    ...recordMergeControllers,
  ],
  providers: [SeriesCatalogue, PriceSeriesService, FacetsService, RecordMerging],
  exports: [FacetsService, SeriesCatalogue, PriceSeriesService, RecordMerging],
})
export class PriceSeriesModule {
  constructor(connector: DatabaseConnector, catalogue: SeriesCatalogue, metrics: MetricsRegistry) {
    // Warms the catalogue up. If that fails, the first request reads it.
    connector.onConnected(() => catalogue.current().then(noop, noop));
    metrics.add({
      name: 'pds_catalogue_series',
      help: 'Series in the catalogue.',
      kind: 'gauge',
      together: 'max',
      value: () => catalogue.size,
    });
    metrics.add({
      name: 'pds_catalogue_refreshes_total',
      help: 'Number of times the catalogue was read.',
      kind: 'counter',
      value: () => catalogue.refreshes,
    });
    metrics.add({
      name: 'pds_catalogue_refresh_milliseconds',
      help: 'Duration of the last read of the catalogue.',
      kind: 'gauge',
      together: 'max',
      value: () => catalogue.lastRefreshMs,
    });
  }
}

const noop = () => undefined;
