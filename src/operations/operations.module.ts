import { Global, Module } from '@nestjs/common';
import { ACCOUNT_OF_TOKEN, type AccountOfToken } from '../common/access/account-of-token.js';
import { REQUEST_OBSERVERS } from '../common/http/request-observer.js';
import { THROTTLE } from '../common/http/throttle.js';
import { MetricsRegistry } from '../common/metrics/metrics-registry.js';
import { Environment } from '../config/environment.js';
import { Draining } from './draining.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';
import { RequestMetrics } from './request-metrics.js';
import { RequestThrottle } from './request-throttle.js';

/** What operators need: health, metrics, throttling, an orderly end. `Figures` is for every module that has numbers to show. */
@Global()
@Module({
  controllers: [HealthController, MetricsController],
  providers: [
    Draining,
    Readiness,
    MetricsRegistry,
    Metrics,
    RequestMetrics,
    {
      provide: REQUEST_OBSERVERS,
      inject: [RequestMetrics],
      useFactory: (figures: RequestMetrics) => [figures],
    },
    {
      provide: THROTTLE,
      inject: [Environment, { token: ACCOUNT_OF_TOKEN, optional: true }],
      // Without limits there is none at all, so that the fastest answers need not even ask.
      useFactory: (environment: Environment, accountOf?: AccountOfToken) => {
        const { throttleReads: reads, throttleWrites: writes, workers } = environment;
        if (reads === 0 && writes === 0) return null;
        return new RequestThrottle({ reads, writes, workers }, accountOf ?? (() => null));
      },
    },
  ],
  exports: [Draining, MetricsRegistry],
})
export class OperationsModule {}
