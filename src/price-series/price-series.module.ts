import { Module } from '@nestjs/common';
import { MetricsRegistry } from '../common/metrics/metrics-registry.js';
import { DatabaseConnector } from '../database/database-connector.js';
import { SeriesCatalogue } from './catalogue.js';
import { PriceSeriesController } from './price-series.controller.js';
import { PriceSeriesService } from './price-series.service.js';

/** Lists of price series. The prices, the compatible addresses and the exports read series through its service. */
@Module({
  controllers: [PriceSeriesController],
  providers: [SeriesCatalogue, PriceSeriesService],
  exports: [SeriesCatalogue, PriceSeriesService],
})
export class PriceSeriesModule {
  constructor(connector: DatabaseConnector, catalogue: SeriesCatalogue, figures: MetricsRegistry) {
    // Read before the first request asks for it. Should that fail, the first request reads it.
    connector.whenConnected(() => catalogue.current().then(noop, noop));
    figures.add({
      name: 'pds_catalogue_series',
      help: 'Series in the catalogue.',
      kind: 'gauge',
      together: 'max',
      value: () => catalogue.size,
    });
    figures.add({
      name: 'pds_catalogue_refreshes_total',
      help: 'Times the catalogue was read.',
      kind: 'counter',
      value: () => catalogue.refreshes,
    });
    figures.add({
      name: 'pds_catalogue_refresh_milliseconds',
      help: 'Time that reading the catalogue took last.',
      kind: 'gauge',
      together: 'max',
      value: () => catalogue.lastRefresh,
    });
  }
}

const noop = () => undefined;
