import { Injectable } from '@nestjs/common';
import {
  AggregatorRegistry,
  Counter,
  Gauge,
  Registry,
  collectDefaultMetrics,
  type Metric,
  type MetricObject,
} from 'prom-client';
import { MetricsRegistry } from '../common/metrics/metrics-registry.js';
import { WorkerPeers } from '../common/workers/worker-peers.js';
import { DataRevision } from '../database/data-revision.js';
import { Database } from '../database/database.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { recordDatabaseMetrics } from './database-metrics.js';
import { Draining } from './draining.js';
import { Readiness } from './readiness.js';
import { RequestMetrics } from './request-metrics.js';

/** Under this name processes ask each other for their metrics, and how long (ms) they wait for them. */
const TOPIC = 'metrics';
const PATIENCE = 1000;

/** Everything there is to watch, in the text form that Prometheus reads. */
@Injectable()
export class Metrics {
  private registry: Registry | null = null;

  constructor(
    private readonly figures: MetricsRegistry,
    private readonly requests: RequestMetrics,
    private readonly siblings: WorkerPeers,
    database: Database,
    unitOfWork: UnitOfWork,
    revision: DataRevision,
    draining: Draining,
    readiness: Readiness,
  ) {
    siblings.answer(TOPIC, () => this.ownMetrics());
    for (const figure of recordDatabaseMetrics(database, unitOfWork, revision)) figures.add(figure);
    figures.add({
      name: 'pds_page_cache_hits_total',
      help: 'Requests answered from the page cache.',
      kind: 'counter',
      value: () => requests.cached,
    });
    figures.add({
      name: 'pds_requests_aborted_total',
      help: 'Requests whose client left before the end.',
      kind: 'counter',
      value: () => requests.aborted,
    });
    figures.add({
      name: 'pds_readiness_checks_total',
      help: 'Checks behind /health/ready.',
      kind: 'counter',
      value: () => readiness.checks,
    });
    figures.add({
      name: 'pds_draining',
      help: '1 while the service is stopping.',
      kind: 'gauge',
      value: () => Number(draining.active),
    });
  }

  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;

  /** The metrics of this process and its siblings together: whoever asks does not choose which of them answers. */
  async text(): Promise<string> {
    const others = await this.siblings.ask(TOPIC, null, PATIENCE);
    if (others.length === 0) return this.ownRegistry().metrics();
    const all = [await this.ownMetrics(), ...others.filter(Array.isArray)] as MetricObject[][];
    return AggregatorRegistry.aggregate(all).metrics();
  }

  private ownMetrics(): Promise<unknown> {
    return this.ownRegistry().getMetricsAsJSON();
  }

  private ownRegistry(): Registry {
    return (this.registry ??= this.makeRegistry());
  }

  /** Made at the first scrape: by then every module has given its figures, and where nobody looks nothing is measured. */
  private makeRegistry(): Registry {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const name = 'http_request_duration_seconds';
    registry.registerMetric({ name, get: async () => this.requests.metric(name) } as unknown as Metric);
    for (const { name, help, kind, together = 'sum', value } of this.figures.all()) {
      new (kind === 'gauge' ? Gauge : Counter)({
        name,
        help,
        aggregator: together,
        registers: [registry],
        collect() {
          this.reset();
          const now = value();
          if (now !== null) this.inc(now);
        },
      });
    }
    return registry;
  }
}
