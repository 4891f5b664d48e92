import { loadEnvironment } from '../config/load-environment.js';
import { restore } from './backup.js';

/** `npm run restore -- FILE`: brings a backup back into an empty place. */
async function main(): Promise<void> {
  const [file, ...more] = process.argv.slice(2);
  if (file === undefined || more.length > 0) throw new Error('Usage: npm run restore -- FILE');
  const environment = loadEnvironment();
  await restore(environment, file);
  console.log(
    environment.embedded
      ? 'The database is restored.'
      : 'The database is restored. Run `npm run migrate` if the backup is of an older version.',
  );
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
