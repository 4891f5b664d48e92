import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { loadEnvironment } from '../config/load-environment.js';
import { backup } from '../operations/backup/backup.js';
import { countTables } from '../operations/backup/server-client.js';

/** `npm run backup -- FILE`: backs up the database into a file, also while the service runs. */
await runCommand('Usage: npm run backup -- FILE', async ([file, ...more]) => {
  if (file === undefined || more.length > 0) throw new UsageError();
  const environment = loadEnvironment();
  // The client program would say what is wrong with the connection in words of its own.
  if (!environment.embedded) await countTables(environment);
  const bytes = await backup(environment, file);
  console.log(`Backed up ${environment.databaseName} to ${file} (${bytes.toLocaleString('en-US')} bytes).`);
  return 0;
});
