import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { IndicatorWarmup } from './analysis/indicators/store/indicator-warmup.js';
import { AppModule } from './app.module.js';
import type { Supervised } from './platform/workers/supervised.js';
import { ReplyWriter } from './platform/http/reply-writer.js';
import { ServiceExpressAdapter } from './platform/http/express.adapter.js';
import { ServiceLog } from './platform/logging/service-log.js';
import type { Environment } from './config/environment.js';
import { applicationOptions, configureApp } from './configure-app.js';
import { DatabaseConnector } from './database/database-connector.js';
import { createManagementApp } from './management-app.js';
import { Draining } from './platform/shutdown/draining.js';
import { HarvestScheduler } from './harvests/runs/harvest-scheduler.js';
import { GracefulShutdown } from './platform/shutdown/graceful-shutdown.js';

/** Milliseconds that a worker waits for the database before it accepts requests. */
const READY_WITHIN = 1500;

/**
 * Starts the service in this process.
 * @param supervised where another process started this one
 * @param reject called when the database, tried after the start, can never be opened
 */
export async function startServer(
  environment: Environment,
  supervised: Supervised | null,
  reject: (error: unknown) => void,
): Promise<void> {
  const adapter = new ServiceExpressAdapter();
  const app = await NestFactory.create(AppModule, adapter, {
    ...applicationOptions,
    bufferLogs: true,
    abortOnError: false,
  });
  const log = app.get(ServiceLog);
  app.useLogger(log);
  for (const warning of environment.warnings) log.warn(warning, 'Settings');
  configureApp(app);
  const management = await createManagementApp(app);
  const shutdown = new GracefulShutdown({
    server: adapter.getHttpServer(),
    draining: app.get(Draining),
    delay: environment.shutdownDelay,
    disableKeepAlive: () => (app.get(ReplyWriter).closing = true),
    close: async () => {
      await app.close();
      // Until now it has reported that the service is shutting down.
      management.getHttpServer().closeAllConnections();
      await management.close();
    },
    log,
    exit: (code) => void log.sink.end().then(() => process.exit(code)),
  });
  if (supervised) supervised.shutDown = (reason) => shutdown.onSignal(reason);
  shutdown.listen(supervised === null);
  await app.init();
  const { ready } = app.get(DatabaseConnector);
  ready.catch(reject);
  // Other workers may be able to answer what this one cannot yet.
  if (supervised) await Promise.race([ready.catch(() => undefined), sleep(READY_WITHIN)]);
  await app.listen(environment.port, environment.host);
  const { managementPort, managementHost } = environment;
  if (managementPort !== 0) await management.listen(managementPort, managementHost);
  // More workers are started when this one is ready: none where the ports are taken.
  ready.then(
    () => {
      supervised?.ready();
      app.get(IndicatorWarmup).start();
      app.get(HarvestScheduler).start();
    },
    () => undefined,
  );
  const url = await app.getUrl();
  log.log(`Listening on ${url}; the API reference is at ${url}/docs.`);
  if (managementPort !== 0) log.log(`Health and metrics are at ${await management.getUrl()}.`);
}
