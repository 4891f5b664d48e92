import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import { ConnectionAdmission } from './platform/http/overload/connections.js';
import { RouteTable } from './platform/http/routes.js';
import { corsOptions, RequestMiddleware } from './platform/http/middleware.js';
import { basePathOf } from './platform/http/client.js';
import { HTTP_OPTIONS, type HttpOptions } from './platform/http/options.js';
import { PageCacheListener } from './platform/http/cache.listener.js';
import { ReplyWriter } from './platform/http/reply-writer.js';
import { RequestErrors } from './platform/http/server.js';
import type { ServiceExpressAdapter } from './platform/http/express.adapter.js';

/**
 * Options of `NestFactory.create` that the service relies on: bodies are read after the guards, by
 * an interceptor, so that a caller without a token learns nothing about them.
 */
export const applicationOptions = { bodyParser: false } satisfies NestApplicationOptions;

/**
 * Configures an application created with a `ServiceExpressAdapter`: settings and middleware of
 * Express. Shared by the server and the tests.
 */
export function configureApp(app: INestApplication): void {
  const adapter = app.getHttpAdapter() as ServiceExpressAdapter;
  const options = app.get<HttpOptions>(HTTP_OPTIONS, { strict: false });
  const routes = app.get(RouteTable, { strict: false });
  adapter.connect({
    listener: app.get(PageCacheListener, { strict: false }),
    connections: app.get(ConnectionAdmission, { strict: false }),
    replies: app.get(ReplyWriter, { strict: false }),
    errors: app.get(RequestErrors, { strict: false }),
    basePath: basePathOf(options.publicUrl),
  });
  routes.readFrom(adapter.registeredRoutes);
  adapter.set('trust proxy', [...options.trustProxy]);
  const { begin, check, answerOptions } = app.get(RequestMiddleware, { strict: false });
  app.use(begin);
  app.enableCors(corsOptions(options.corsOrigins, routes));
  app.use(check, answerOptions);
}
