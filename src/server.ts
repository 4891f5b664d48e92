import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppModule } from './app.module.js';
import type { Supervised } from './cluster.js';
import { ServiceExpressAdapter } from './common/http/service-express-adapter.js';
import { ServiceLog } from './common/logging/service-log.js';
import type { Environment } from './config/environment.js';
import { applicationOptions, configureApp } from './configure-app.js';
import { DatabaseConnector } from './database/database-connector.js';
import { Draining } from './operations/draining.js';
import { GracefulShutdown } from './operations/graceful-shutdown.js';

/** Milliseconds that a worker waits for the database before it takes requests. */
const READY_WITHIN = 1500;

/**
 * Starts the service in this process.
 * @param supervised where another process started this one
 * @param refuse called when the database, tried after the start, can never be opened
 */
export async function startServer(
  environment: Environment,
  supervised: Supervised | null,
  refuse: (error: unknown) => void,
): Promise<void> {
  const log = new ServiceLog(environment.logLevel);
  const adapter = new ServiceExpressAdapter();
  const app = await NestFactory.create(AppModule, adapter, {
    ...applicationOptions,
    logger: log,
    abortOnError: false,
  });
  const door = configureApp(app, log);
  const end = new GracefulShutdown({
    server: adapter.getHttpServer(),
    draining: app.get(Draining),
    delay: environment.shutdownDelay,
    disableKeepAlive: () => door.drain(),
    close: () => app.close(),
    log,
    exit: (code) => void log.sink.end().then(() => process.exit(code)),
  });
  if (supervised) supervised.shutDown = (reason) => end.onSignal(reason);
  end.listen(supervised === null);
  await app.init();
  const { ready } = app.get(DatabaseConnector);
  ready.then(() => supervised?.ready(), refuse);
  // Beside others this one is not to refuse what they could have answered.
  if (supervised) await Promise.race([ready.catch(() => undefined), sleep(READY_WITHIN)]);
  await app.listen(environment.port, environment.host);
  log.log(`Listening on ${await app.getUrl()}.`);
}
