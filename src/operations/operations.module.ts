import { Module } from '@nestjs/common';
import { REQUEST_OBSERVERS } from '../platform/logging/request-observer.js';
import { THROTTLE } from '../platform/http/overload/throttle.js';
import { HttpModule } from '../platform/http/http.module.js';
import { WorkersModule } from '../platform/workers/workers.module.js';
import { MetricsModule } from '../platform/metrics/metrics.module.js';
import { Environment } from '../config/environment.js';
import { Draining } from '../platform/shutdown/draining.js';
import { HealthController } from './health.controller.js';
import { JobLeases } from './jobs/job-leases.js';
import { Jobs } from './jobs/jobs.js';
import { HttpMetrics } from './metrics/http-metrics.js';
import { MetricsService } from './metrics/metrics.service.js';
import { Readiness } from './readiness.js';
import { RequestMetrics } from './metrics/request-metrics.js';
import { RequestThrottle } from './request-throttle.js';

/** Health, metrics, throttling, jobs and graceful shutdown. */
@Module({
  imports: [HttpModule, MetricsModule, WorkersModule],
  controllers: [HealthController],
  providers: [
    Draining,
    HttpMetrics,
    JobLeases,
    Jobs,
    Readiness,
    MetricsService,
    RequestMetrics,
    {
      provide: REQUEST_OBSERVERS,
      inject: [RequestMetrics],
      useFactory: (metrics: RequestMetrics) => [metrics],
    },
    {
      provide: THROTTLE,
      inject: [Environment],
      // Null without limits, so that cached replies skip the check.
      useFactory: (environment: Environment) => {
        const limits = {
          read: environment.throttleReads,
          write: environment.throttleWrites,
          unauthenticated: environment.throttleUnauthenticated,
        };
        const unlimited = Object.values(limits).every((limit) => limit === 0);
        return unlimited ? null : new RequestThrottle(limits, environment.workers);
      },
    },
  ],
  exports: [Draining, JobLeases, Jobs, REQUEST_OBSERVERS, THROTTLE],
})
export class OperationsModule {}
