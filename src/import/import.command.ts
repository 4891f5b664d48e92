import { runCommand } from '../common/commands/run-command.js';
import { loadEnvironment } from '../config/load-environment.js';
import { Database } from '../database/database.js';
import { ImportService } from './import.service.js';
import { runImport } from './run-import.js';
import { keepHeapSmall } from './small-heap.js';

/** `npm run import`: needs no running server, and may run beside one. */
await runCommand(async (words) => {
  keepHeapSmall();
  // Nothing here goes through an entity.
  const database = new Database(loadEnvironment(), []);
  await database.connect(true);
  try {
    return await runImport(words, ImportService.over(database), {
      say: (text) => console.log(text),
      complain: (text) => console.error(text),
      screen: process.stderr,
    });
  } finally {
    await database.close();
  }
});
