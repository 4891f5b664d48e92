import { runCommand, UsageError } from '../common/commands/run-command.js';
import { loadEnvironment } from '../config/load-environment.js';
import { restore } from './backup.js';

/** `npm run restore -- FILE`: brings a backup back into an empty place. */
await runCommand(async ([file, ...more]) => {
  if (file === undefined || more.length > 0) throw new UsageError('Usage: npm run restore -- FILE');
  const environment = loadEnvironment();
  await restore(environment, file);
  console.log(
    environment.embedded
      ? 'The database is restored.'
      : 'The database is restored. Run `npm run migrate` if the backup is of an older version.',
  );
  return 0;
});
