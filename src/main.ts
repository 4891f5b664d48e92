import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { ServiceExpressAdapter } from './common/http/service-express-adapter.js';
import { ServiceLog } from './common/logging/service-log.js';
import { InvalidEnvironment } from './config/environment.js';
import { loadEnvironment } from './config/load-environment.js';
import { applicationOptions, configureApp } from './configure-app.js';
import { DatabaseConnector } from './database/database-connector.js';
import { DatabaseRefused } from './database/database-refused.js';
import { Draining } from './operations/draining.js';
import { OrderlyEnd } from './operations/orderly-end.js';

async function start(): Promise<void> {
  const environment = loadEnvironment();
  const log = new ServiceLog(environment.logLevel);
  const adapter = new ServiceExpressAdapter();
  const app = await NestFactory.create(AppModule, adapter, {
    ...applicationOptions,
    logger: log,
    abortOnError: false,
  });
  const door = configureApp(app, log);
  new OrderlyEnd({
    server: adapter.getHttpServer(),
    draining: app.get(Draining),
    delay: environment.shutdownDelay,
    lastAnswers: () => door.drain(),
    close: () => app.close(),
    log,
    exit: (code) => void log.sink.end().then(() => process.exit(code)),
  }).listen();
  await app.listen(environment.port, environment.host);
  log.log(`Listening on ${await app.getUrl()}.`);
  app.get(DatabaseConnector).ready.catch(refuse);
}

/** Ends the process with a line that says why; only what nobody foresaw comes with its stack. */
function refuse(error: unknown): void {
  const foreseen = error instanceof InvalidEnvironment || error instanceof DatabaseRefused;
  console.error(foreseen ? error.message : error);
  process.exit(1);
}

await start().catch(refuse);
