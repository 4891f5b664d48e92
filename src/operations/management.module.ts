import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { HttpModule } from '../platform/http/http.module.js';
import { HTTP_OPTIONS } from '../platform/http/options.js';
import { ServiceLog } from '../platform/logging/service-log.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { MetricsService } from './metrics/metrics.service.js';
import { Readiness } from './readiness.js';

/** What it shares with the service that it reports on. */
const SHARED = [HTTP_OPTIONS, MetricsService, Readiness, ServiceLog];

/**
 * Health and metrics, in an application of their own: it listens on the management port, where no
 * stranger reads the metrics and no queue of requests delays the checks.
 */
@Module({})
export class ManagementModule {
  static of(service: INestApplicationContext): DynamicModule {
    return {
      module: ManagementModule,
      global: true,
      imports: [HttpModule],
      controllers: [HealthController, MetricsController],
      providers: SHARED.map((provide) => ({
        provide,
        useValue: service.get<unknown>(provide, { strict: false }),
      })),
      exports: SHARED,
    };
  }
}
