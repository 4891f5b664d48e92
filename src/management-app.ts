import type { INestApplication, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Server } from 'node:http';
import { applicationOptions, configureApp } from './configure-app.js';
import { ManagementModule } from './operations/management.module.js';
import { ServiceExpressAdapter } from './platform/http/express.adapter.js';

/** Creates the application of the management port for a service. It does not listen yet. */
export async function createManagementApp(
  service: INestApplicationContext,
): Promise<INestApplication<Server>> {
  const app = await NestFactory.create<INestApplication<Server>>(
    ManagementModule.of(service),
    new ServiceExpressAdapter(),
    {
      ...applicationOptions,
      abortOnError: false,
    },
  );
  configureApp(app);
  return app;
}
