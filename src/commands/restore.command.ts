import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { loadEnvironment } from '../config/load-environment.js';
import { restore } from '../operations/backup/backup.js';

/** `npm run restore -- FILE`: restores a backup into a database that is missing or empty. */
await runCommand('Usage: npm run restore -- FILE', async ([file, ...more]) => {
  if (file === undefined || more.length > 0) throw new UsageError();
  const environment = loadEnvironment();
  await restore(environment, file);
  console.log(
    environment.embedded
      ? `Restored ${environment.databaseName}.`
      : `Restored ${environment.databaseName}. Run \`npm run migrate\` if the backup is from an older version.`,
  );
  return 0;
});
