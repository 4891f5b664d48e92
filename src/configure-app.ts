import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { REVISION_SOURCE, type RevisionSource } from './common/caching/revision-source.js';
import { Clock } from './common/dates/clock.js';
import { ProblemFilter } from './common/errors/problem.filter.js';
import { ERROR_TRANSLATOR, type ErrorTranslator } from './common/errors/to-api-error.js';
import { BodyGuard } from './common/http/body.guard.js';
import { RequestPipeline } from './common/http/request-pipeline.js';
import { REQUEST_OBSERVERS, type RequestObserver } from './common/http/request-observer.js';
import { discoverRoutes } from './common/http/route-discovery.js';
import { RouteTable } from './common/http/route-table.js';
import { ServiceExpressAdapter } from './common/http/service-express-adapter.js';
import { THROTTLE, type Throttle } from './common/http/throttle.js';
import { ServiceLog } from './common/logging/service-log.js';
import { MetricsRegistry } from './common/metrics/metrics-registry.js';
import { Environment } from './config/environment.js';
import { release } from './config/release.js';

/** Options of `NestFactory.create` that the service relies on. */
export const applicationOptions = { bodyParser: false } satisfies NestApplicationOptions;

/**
 * Puts the HTTP layer before an application made with a `ServiceExpressAdapter`: front door, error answers, bodies. Shared by
 * the server and the tests. What the modules provide under the tokens `REVISION_SOURCE`, `THROTTLE`, `REQUEST_OBSERVERS` and
 * `ERROR_TRANSLATOR` is used; without them nothing is cached, throttled, observed or translated.
 */
export function configureApp(app: INestApplication, log?: ServiceLog): RequestPipeline {
  const adapter = app.getHttpAdapter() as ServiceExpressAdapter;
  const environment = app.get(Environment, { strict: false });
  const clock = provided<Clock>(app, Clock);
  const serviceLog = log ?? new ServiceLog(environment.logLevel);
  const routes = provided<RouteTable>(app, RouteTable) ?? new RouteTable();
  discoverRoutes(app.get(ModulesContainer), routes);
  const door = new RequestPipeline({
    options: {
      publicUrl: environment.publicUrl,
      trustProxy: environment.trustProxy,
      corsOrigins: environment.corsOrigins,
      maxPageSize: environment.maxPageSize,
      release: release(),
      ...(clock ? { clock: () => clock.now() } : {}),
    },
    limits: adapter.limits,
    routes,
    log: serviceLog,
    revision: provided<RevisionSource>(app, REVISION_SOURCE) ?? { current: () => null },
    throttle: provided<Throttle>(app, THROTTLE),
    observers: [serviceLog, ...(provided<RequestObserver[]>(app, REQUEST_OBSERVERS) ?? [])],
    dispatch: (context) => adapter.dispatch(context),
  });
  adapter.open(door);
  const figures = provided<MetricsRegistry>(app, MetricsRegistry);
  if (figures) tellFigures(figures, door, serviceLog);
  const translate = provided<ErrorTranslator>(app, ERROR_TRANSLATOR) ?? ((error) => error);
  app.useGlobalFilters(new ProblemFilter(door.writer, translate));
  // After the guards that modules have provided.
  app.useGlobalGuards(new BodyGuard(adapter.limits));
  return door;
}

/** What the HTTP layer has to show to operators. */
function tellFigures(figures: MetricsRegistry, door: RequestPipeline, { sink }: ServiceLog): void {
  const gauge = (name: string, help: string, value: () => number) =>
    figures.add({ name, help, kind: 'gauge', value });
  gauge('pds_requests_in_work', 'Requests being worked on.', () => door.inWork);
  gauge('pds_page_cache_pages', 'Pages in the page cache.', () => door.cache.pages);
  gauge('pds_page_cache_bytes', 'Bytes of the page cache.', () => door.cache.bytes);
  figures.add({
    name: 'pds_log_lines_dropped_total',
    help: 'Log lines that the log target did not take.',
    kind: 'counter',
    value: () => sink.dropped,
  });
}

/** A provider of any module, or null where there is none. Asking Nest for one that is missing would end the process. */
function provided<T>(app: INestApplication, token: Parameters<INestApplication['get']>[0]): T | null {
  const modules = [...app.get(ModulesContainer).values()];
  const known = modules.some(({ providers }) => providers.has(token as string));
  return known ? app.get<T>(token, { strict: false }) : null;
}
