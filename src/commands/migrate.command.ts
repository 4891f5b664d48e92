import { DataSource } from 'typeorm';
import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { loadEnvironment } from '../config/load-environment.js';
import { sqliteHandle } from '../database/database.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { migrateEmbedded, migrateServer, newerSchemaMessage, readSchemaState } from '../database/schema.js';
import { connectionProblem } from '../database/errors/connection-problem.js';
import { requireEmbeddedFile } from '../database/sqlite/embedded-file.js';
import { WriteNodes } from '../database/server/write-nodes.js';

const USAGE = `Usage: npm run migrate

Runs the pending migrations on the database of DATABASE_URL.`;

/**
 * `npm run migrate`: runs the pending migrations on the database of `DATABASE_URL`. Safe to repeat
 * after it was killed, and to run on several machines at once.
 */
await runCommand(USAGE, async (args) => {
  if (args.length > 0) throw new UsageError();
  const environment = loadEnvironment();
  console.log(`Database: ${environment.databaseName}.`);
  if (environment.embedded) requireEmbeddedFile(environment.sqlitePath);
  const nodes = WriteNodes.create(environment.databaseServers, () => undefined);
  const source = new DataSource(dataSourceOptions(environment, [], 'migrator', nodes?.connect));
  try {
    await source.initialize().catch((error: unknown) => {
      throw connectionProblem(environment, error) ?? error;
    });
    const writer = await oldestWriter(source);
    const ran = environment.embedded
      ? await migrateEmbedded(source, sqliteHandle(source))
      : await migrateServer(source);
    for (const name of ran) console.log(`Ran ${name}.`);
    const { newer } = await readSchemaState(source);
    if (newer.length > 0) console.log(`${newerSchemaMessage(newer)} Nothing was changed.`);
    else if (writer !== null && writer !== (await oldestWriter(source)))
      console.log(
        'The database is now up to date. Earlier releases go on reading it, and can no longer write to it: replace them now.',
      );
    else console.log(ran.length === 0 ? 'The database is up to date.' : 'The database is now up to date.');
  } finally {
    nodes?.stop();
    if (source.isInitialized) await source.destroy();
  }
  return 0;
});

/** The oldest release that may write; null in a database that has none yet. */
async function oldestWriter(source: DataSource): Promise<number | null> {
  try {
    const [row] = await source.query<{ oldest_writer: number | string }[]>(
      'SELECT oldest_writer FROM data_revision WHERE id = 1',
    );
    return row === undefined ? null : Number(row.oldest_writer);
  } catch {
    return null;
  }
}
