import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Environment } from '../config/environment.js';
import { loadEnvironment } from '../config/load-environment.js';
import { Database } from '../database/database.js';
import { requireEmbeddedFile } from '../database/sqlite/embedded-file.js';
import { CommandsModule } from './commands.module.js';

/**
 * Runs a command with the services of a Nest application without HTTP, and closes the database at
 * its end.
 * @throws InvalidEnvironment
 */
export async function withServices<T>(work: (services: INestApplicationContext) => Promise<T>): Promise<T> {
  // Outside of Nest, which would log what is wrong with the settings.
  loadEnvironment();
  const services = await NestFactory.createApplicationContext(CommandsModule, { abortOnError: false });
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

/**
 * As `withServices`, connected to a database that has the newest schema.
 * @param mayBeNew whether the file of the embedded database is made where there is none
 * @throws UnusableDatabaseError
 */
export const withDatabase = <T>(
  work: (services: INestApplicationContext) => Promise<T>,
  { mayBeNew = false } = {},
): Promise<T> =>
  withServices(async (services) => {
    const { embedded, sqlitePath } = services.get(Environment);
    if (embedded && !mayBeNew) requireEmbeddedFile(sqlitePath);
    await services.get(Database).connectForCommand(true);
    return work(services);
  });
