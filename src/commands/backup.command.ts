import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { loadEnvironment } from '../config/load-environment.js';
import { backup } from '../operations/backup/backup.js';

/** `npm run backup -- FILE`: backs up the database into a file, also while the service runs. */
await runCommand('Usage: npm run backup -- FILE', async ([file, ...more]) => {
  if (file === undefined || more.length > 0) throw new UsageError();
  const environment = loadEnvironment();
  const bytes = await backup(environment, file);
  console.log(`Backed up ${environment.databaseName} to ${file} (${bytes.toLocaleString('en-US')} bytes).`);
  return 0;
});
