import { Module } from '@nestjs/common';
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
  constructor(connector: DatabaseConnector, catalogue: SeriesCatalogue) {
    // Read before the first request asks for it. Should that fail, the first request reads it.
    connector.whenConnected(() => catalogue.current().then(noop, noop));
  }
}

const noop = () => undefined;
