import { Injectable } from '@nestjs/common';
import { PageCache } from '../../platform/http/cache/page-cache.js';
import { ConnectionLimits } from '../../platform/http/connection-limits.js';
import { IncomingBodies } from '../../platform/http/request/incoming-bodies.js';
import { RouteGuard } from '../../platform/http/route.guard.js';
import { ServiceLog } from '../../platform/logging/service-log.js';
import { MetricsRegistry } from '../../platform/metrics/metrics-registry.js';

/** Registers the metrics of the HTTP layer. */
@Injectable()
export class HttpMetrics {
  constructor(
    registry: MetricsRegistry,
    load: RouteGuard,
    incoming: IncomingBodies,
    connections: ConnectionLimits,
    cache: PageCache,
    { sink }: ServiceLog,
  ) {
    const gauge = (name: string, help: string, value: () => number) =>
      registry.add({ name, help, kind: 'gauge', value });
    gauge('pds_requests_in_work', 'Requests being worked on.', () => load.inWork);
    gauge('pds_incoming_bodies', 'Bodies being received.', () => incoming.count);
    gauge('pds_connections', 'Open connections.', () => connections.count);
    registry.add({
      name: 'pds_connections_closed_total',
      help: 'Connections closed because there were too many, in all or of one address.',
      kind: 'counter',
      value: () => connections.closed,
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
