import { Environment } from '../config/environment.js';
import { Database } from '../database/database.js';
import { ImportService } from '../import/import.service.js';
import { MappingStore } from '../import/mappings/stored/mapping-store.js';
import { type ImportTerminal, parseArguments, runImport, IMPORT_USAGE } from '../import/run-import.js';
import { runCommand } from '../platform/commands/run-command.js';
import { runInTrace } from '../platform/logging/trace-context.js';
import { limitHeapGrowth } from '../platform/runtime/garbage-collection.js';
import { withServices } from './command-services.js';

/** Costs an import 2 to 3 % of its time, and saves 50 MB of memory. */
const HEAP_GROWTH_PERCENT = 100;

/** `npm run import`: runs with or without a running server. */
await runCommand(IMPORT_USAGE, (args) => {
  const parsed = parseArguments(args);
  limitHeapGrowth(HEAP_GROWTH_PERCENT);
  return withServices((services) => {
    const connect = async () => {
      await services.get(Database).connectForCommand(true);
      return { service: services.get(ImportService), mappings: services.get(MappingStore) };
    };
    const terminal: ImportTerminal = {
      print: (text) => console.log(text),
      printError: (text) => console.error(text),
      progressStream: process.stderr,
    };
    return runInTrace(services.get(Environment).trace, () => runImport(parsed, connect, terminal));
  });
});
