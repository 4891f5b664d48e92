import { Global, Module } from '@nestjs/common';
import { ACCOUNT_OF_TOKEN, type AccountOfToken } from '../common/access/account-of-token.js';
import { REQUEST_OBSERVERS } from '../common/http/request-observer.js';
import { THROTTLE } from '../common/http/throttle.js';
import { MetricsRegistry } from '../common/metrics/metrics-registry.js';
import { Environment } from '../config/environment.js';
import { Draining } from './draining.js';
import { HealthController } from './health.controller.js';
import { HttpMetrics } from './http-metrics.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsService } from './metrics.service.js';
import { Readiness } from './readiness.js';
import { RequestMetrics } from './request-metrics.js';
import { RequestThrottle } from './request-throttle.js';

/**
 * Health, metrics, throttling and graceful shutdown. Other modules add metrics to
 * `MetricsRegistry`.
 */
@Global()
@Module({
  controllers: [HealthController, MetricsController],
  providers: [
    Draining,
    HttpMetrics,
    Readiness,
    MetricsRegistry,
    MetricsService,
    RequestMetrics,
    {
      provide: REQUEST_OBSERVERS,
      inject: [RequestMetrics],
      useFactory: (metrics: RequestMetrics) => [metrics],
    },
    {
      provide: THROTTLE,
      inject: [Environment, { token: ACCOUNT_OF_TOKEN, optional: true }],
      // Null without limits, so that cached replies skip the check.
      useFactory: (environment: Environment, accountOf?: AccountOfToken) => {
        const { throttleReads: reads, throttleWrites: writes, workers } = environment;
        if (reads === 0 && writes === 0) return null;
        return new RequestThrottle({ reads, writes, workers }, accountOf ?? (() => null));
      },
    },
  ],
  exports: [Draining, MetricsRegistry, REQUEST_OBSERVERS, THROTTLE],
})
export class OperationsModule {}
