import { runCommand } from '../platform/commands/run-command.js';
import { loadEnvironment } from '../config/load-environment.js';
import { Database } from '../database/database.js';
import { recordEntities } from '../reference/reference.module.js';
import { ImportService } from '../import/import.service.js';
import { type ImportTerminal, parseArguments, runImport, USAGE } from '../import/run-import.js';
import { runInTrace } from '../platform/logging/trace-context.js';
import { limitHeapGrowth } from '../platform/workers/garbage-collection.js';

/** Costs an import 2 to 3 % of its time, and saves 50 MB of memory. */
const HEAP_GROWTH_PERCENT = 100;

/** `npm run import`: runs with or without a running server. */
await runCommand(USAGE, async (args) => {
  const parsed = parseArguments(args);
  limitHeapGrowth(HEAP_GROWTH_PERCENT);
  const environment = loadEnvironment();
  const database = new Database(environment, recordEntities());
  const connect = async () => {
    await database.connectForCommand(true);
    return ImportService.forDatabase(database);
  };
  try {
    const terminal: ImportTerminal = {
      print: (text) => console.log(text),
      printError: (text) => console.error(text),
      progressStream: process.stderr,
    };
    return await runInTrace(environment.trace, () => runImport(parsed, connect, terminal));
  } finally {
    await database.close();
  }
});
