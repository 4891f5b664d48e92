import { Module } from '@nestjs/common';
import { HttpModule } from '../../platform/http/http.module.js';
import { MetricsRegistry } from '../../platform/metrics/metrics-registry.js';
import { MetricsModule } from '../../platform/metrics/metrics.module.js';
import { ConcurrencyLimits } from '../../platform/http/overload/limits.js';
import { PriceSeriesModule } from '../../price-series/price-series.module.js';
import { ChangesController } from './changes.controller.js';
import { FeedReader } from './feed-reader.js';
import { FeedWaiter } from './feed-waiter.js';

/** The feed of what has changed. */
@Module({
  imports: [HttpModule, MetricsModule, PriceSeriesModule],
  controllers: [ChangesController],
  providers: [FeedReader, FeedWaiter],
})
export class ChangesModule {
  constructor({ waiting }: ConcurrencyLimits, metrics: MetricsRegistry) {
    metrics.add({
      name: 'pds_waiting_clients',
      help: 'Clients that wait for changes.',
      kind: 'gauge',
      value: () => waiting.size,
    });
  }
}
