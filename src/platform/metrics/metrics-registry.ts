import { Injectable } from '@nestjs/common';

/** A number of the running service that operators watch. */
export interface Metric {
  /** Prometheus name, such as `pds_catalogue_series`. */
  name: string;
  help: string;
  /** A `counter` only rises while the process lives; a `gauge` goes both ways. */
  kind: 'gauge' | 'counter';
  /** How the values of several processes are combined; added by default. */
  together?: 'sum' | 'max';
  /** The value now; null when there is none yet. Asked at each scrape, so it has to be cheap. */
  value: () => number | null;
}

/** The metrics that modules record; `/metrics` shows them. */
@Injectable()
export class MetricsRegistry {
  private readonly metrics = new Map<string, Metric>();

  /** @throws Error when the name is taken */
  add(metric: Metric): void {
    if (this.metrics.has(metric.name)) throw new Error(`The metric ${metric.name} is registered twice.`);
    this.metrics.set(metric.name, metric);
  }

  all(): Iterable<Metric> {
    return this.metrics.values();
  }
}
