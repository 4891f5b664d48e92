import { loadEnvironment } from '../config/load-environment.js';
import { backup } from './backup.js';

/** `npm run backup -- FILE`: copies the database into a file, also while it is in use. */
async function main(): Promise<void> {
  const [file, ...more] = process.argv.slice(2);
  if (file === undefined || more.length > 0) throw new Error('Usage: npm run backup -- FILE');
  const environment = loadEnvironment();
  const bytes = await backup(environment, file);
  console.log(`${file} holds the whole database: ${(bytes / 1e6).toFixed(1)} MB.`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
