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
import { sharedResult } from '../../lib/scheduling/shared-result.js';
import { MetricsRegistry } from '../../platform/metrics/metrics-registry.js';
import { WorkerPeers } from '../../platform/workers/worker-peers.js';
import { DataRevision } from '../../ledger/revision/data-revision.js';
import { Database } from '../../database/database.js';
import { UnitOfWork } from '../../ledger/unit-of-work.js';
import { databaseMetrics } from './database-metrics.js';
import { Draining } from '../../platform/shutdown/draining.js';
import { Readiness } from '../readiness.js';
import { RequestMetrics } from './request-metrics.js';

/** Topic under which the workers request each other's metrics, and the timeout in milliseconds. */
const METRICS_TOPIC = 'metrics';
const PEER_TIMEOUT = 1000;
/** Milliseconds for which a result is reused, so that many scrapes cost no more than one. */
const TTL = 1000;

/** All metrics of the service in the Prometheus text format. */
@Injectable()
export class MetricsService {
  private registry: Registry | null = null;

  constructor(
    private readonly metrics: MetricsRegistry,
    private readonly requestMetrics: RequestMetrics,
    private readonly peers: WorkerPeers,
    database: Database,
    unitOfWork: UnitOfWork,
    revision: DataRevision,
    draining: Draining,
    readiness: Readiness,
  ) {
    peers.onRequest(METRICS_TOPIC, this.ownMetrics);
    for (const metric of databaseMetrics(database, unitOfWork, revision)) metrics.add(metric);
    metrics.add({
      name: 'pds_page_cache_hits_total',
      help: 'Requests answered from the page cache.',
      kind: 'counter',
      value: () => requestMetrics.cached,
    });
    metrics.add({
      name: 'pds_requests_aborted_total',
      help: 'Requests whose client disconnected early.',
      kind: 'counter',
      value: () => requestMetrics.aborted,
    });
    metrics.add({
      name: 'pds_readiness_checks_total',
      help: 'Readiness checks run for /health/ready.',
      kind: 'counter',
      value: () => readiness.checks,
    });
    metrics.add({
      name: 'pds_draining',
      help: '1 while the service is shutting down.',
      kind: 'gauge',
      value: () => Number(draining.active),
    });
  }

  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;

  /** The metrics of all workers together, as a scrape cannot choose the worker that answers it. */
  readonly text = sharedResult(TTL, async () => {
    const others = await this.peers.request(METRICS_TOPIC, null, PEER_TIMEOUT);
    if (others.length === 0) return this.ownRegistry().metrics();
    const all = [await this.ownMetrics(), ...others.filter(Array.isArray)] as MetricObject[][];
    return AggregatorRegistry.aggregate(all).metrics();
  });

  /** Shared as well: each worker may be scraped, and then asks all others. */
  private readonly ownMetrics = sharedResult(TTL, () => this.ownRegistry().getMetricsAsJSON());

  private ownRegistry(): Registry {
    return (this.registry ??= this.createRegistry());
  }

  /**
   * Created on the first scrape: all modules have added their metrics, and without scrapes it costs
   * nothing.
   */
  private createRegistry(): Registry {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const durations: unknown = this.requestMetrics.metric('http_request_duration_seconds');
    registry.registerMetric(durations as Metric);
    for (const { name, help, kind, together = 'sum', value } of this.metrics.all()) {
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
