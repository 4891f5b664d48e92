import { DataSource } from 'typeorm';
import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { loadEnvironment } from '../config/load-environment.js';
import { sqliteHandle } from './database.js';
import { dataSourceOptions } from './data-source-options.js';
import { migrateEmbedded, migrateServer, newerSchemaMessage, readSchemaState } from './schema.js';
import { prepareEmbeddedFile } from './sqlite/embedded-file.js';
import { WriteNodes } from './server/write-nodes.js';

const USAGE = `Usage: npm run migrate

Runs the pending migrations on the database of DATABASE_URL.`;

/**
 * `npm run migrate`: runs the pending migrations on the database of `DATABASE_URL`. Safe to repeat
 * after it was killed, and to run on several machines at once.
 */
await runCommand(USAGE, async (args) => {
  if (args.length > 0) throw new UsageError();
  const environment = loadEnvironment();
  if (environment.embedded) prepareEmbeddedFile(environment.sqlitePath);
  const nodes = WriteNodes.create(environment.databaseServers, () => undefined);
  const source = new DataSource(dataSourceOptions(environment, [], 'migrator', nodes?.connect));
  try {
    await source.initialize();
    const ran = environment.embedded
      ? await migrateEmbedded(source, sqliteHandle(source))
      : await migrateServer(source);
    for (const name of ran) console.log(`Ran ${name}.`);
    const { newer } = await readSchemaState(source);
    if (newer.length > 0) console.log(`${newerSchemaMessage(newer)} Nothing was changed.`);
    else console.log(ran.length === 0 ? 'The database is up to date.' : 'The database is now up to date.');
  } finally {
    nodes?.stop();
    if (source.isInitialized) await source.destroy();
  }
  return 0;
});
