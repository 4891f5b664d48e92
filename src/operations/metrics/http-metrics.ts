import { Injectable } from '@nestjs/common';
import { PageCache } from '../../platform/http/cache.js';
import { ConcurrencyLimits } from '../../platform/http/overload/limits.js';
import { ServiceLog } from '../../platform/logging/service-log.js';
import { MetricsRegistry } from '../../platform/metrics/metrics-registry.js';

/** Registers the metrics of the HTTP layer. */
@Injectable()
export class HttpMetrics {
  constructor(
    registry: MetricsRegistry,
    { requests, bodies, connections, connectionsOfClient }: ConcurrencyLimits,
    cache: PageCache,
    { sink }: ServiceLog,
  ) {
    const gauge = (name: string, help: string, value: () => number) =>
      registry.add({ name, help, kind: 'gauge', value });
    gauge('pds_requests_in_work', 'Requests being worked on.', () => requests.size);
    gauge('pds_incoming_bodies', 'Bodies being received.', () => bodies.size);
    gauge('pds_connections', 'Open connections.', () => connections.size);
    registry.add({
      name: 'pds_connections_closed_total',
      help: 'Connections closed because there were too many, in all or of one address.',
      kind: 'counter',
      value: () => connections.evicted + connectionsOfClient.evicted,
    });
    gauge('pds_page_cache_pages', 'Pages in the page cache.', () => cache.size);
    gauge('pds_page_cache_bytes', 'Bytes of the page cache.', () => cache.bytes);
    registry.add({
      name: 'pds_log_lines_dropped_total',
      help: 'Log lines that the log target did not accept.',
      kind: 'counter',
      value: () => sink.dropped,
    });
  }
}
