import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry, collectDefaultMetrics, type Metric } from 'prom-client';
import { Figures } from '../common/metrics/figures.js';
import { DataRevision } from '../database/data-revision.js';
import { Database } from '../database/database.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Draining } from './draining.js';
import { Readiness } from './readiness.js';
import { RequestFigures } from './request-figures.js';

/** Everything there is to watch, in the text form that Prometheus reads. */
@Injectable()
export class Metrics {
  private registry: Registry | null = null;

  constructor(
    private readonly figures: Figures,
    private readonly requests: RequestFigures,
    database: Database,
    unitOfWork: UnitOfWork,
    revision: DataRevision,
    draining: Draining,
    readiness: Readiness,
  ) {
    const gauge = (name: string, help: string, value: () => number | null) =>
      figures.add({ name, help, kind: 'gauge', value });
    const counter = (name: string, help: string, value: () => number | null) =>
      figures.add({ name, help, kind: 'counter', value });
    counter('pds_page_cache_hits_total', 'Requests answered from the page cache.', () => requests.cached);
    counter(
      'pds_requests_aborted_total',
      'Requests whose client left before the end.',
      () => requests.aborted,
    );
    gauge('pds_database_connected', '1 while the database is open.', () => Number(database.connected));
    gauge(
      'pds_database_pool_open',
      'Connections to the database server.',
      () => database.poolFigures?.open ?? null,
    );
    gauge('pds_database_pool_busy', 'Connections at work.', () => database.poolFigures?.busy ?? null);
    gauge(
      'pds_database_pool_waiting',
      'Requests that wait for a connection.',
      () => database.poolFigures?.waiting ?? null,
    );
    gauge('pds_storage_refused', '1 after a write that the storage refused, until one is accepted.', () =>
      Number(database.storageRefused),
    );
    gauge('pds_writes_waiting', 'Writes that wait for the embedded database.', () =>
      database.embedded ? unitOfWork.waiting : null,
    );
    gauge(
      'pds_data_revision',
      'The data revision; every write moves it.',
      () => revision.current()?.all ?? null,
    );
    counter('pds_readiness_checks_total', 'Checks behind /health/ready.', () => readiness.checks);
    gauge('pds_draining', '1 while the service is stopping.', () => Number(draining.active));
  }

  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;

  text(): Promise<string> {
    return (this.registry ??= this.makeRegistry()).metrics();
  }

  /** Made at the first scrape: by then every module has given its figures, and where nobody looks nothing is measured. */
  private makeRegistry(): Registry {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const name = 'http_request_duration_seconds';
    registry.registerMetric({ name, get: async () => this.requests.metric(name) } as unknown as Metric);
    for (const { name, help, kind, value } of this.figures.all()) {
      new (kind === 'gauge' ? Gauge : Counter)({
        name,
        help,
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
