import { Module } from '@nestjs/common';
import { MetricsRegistry } from './metrics-registry.js';

/** For modules that add metrics of their own. */
@Module({ providers: [MetricsRegistry], exports: [MetricsRegistry] })
export class MetricsModule {}
