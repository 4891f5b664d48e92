import { existsSync } from 'node:fs';
import { Environment } from '../config/environment.js';
import { Database } from '../database/database.js';
import { FileGoneError } from '../database/errors/driver-errors.js';
import { ImportService } from '../import/import.service.js';
import { NamesOfRecords } from '../import/mappings/names-of-records.js';
import {
  type ComparisonTask,
  failureOf,
  type HeadTask,
  type ImportTask,
  type ProposalTask,
  type TaskMessage,
} from '../import/process/import-task.js';
import { SeriesComparer } from '../import/pipeline/series-comparison.js';
import { runComparison, runHeadTask, runProposal, runTask } from '../import/process/run-task.js';
import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { limitHeapGrowth } from '../platform/runtime/garbage-collection.js';
import { withServices } from './command-services.js';

/** Keeps the process within the memory that `ImportProcess` plans for it. */
const HEAP_GROWTH_PERCENT = 30;

/** The process of `ImportProcess`: does one task, and ends. */
await runCommand('The service starts this process by itself.', async () => {
  if (process.send === undefined) throw new UsageError('Import files with: npm run import');
  limitHeapGrowth(HEAP_GROWTH_PERCENT);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
  const task = await new Promise<ImportTask | ProposalTask | ComparisonTask | HeadTask>((resolve) =>
    process.once('message', resolve),
  );
  process.once('disconnect', () => {
    stop.abort();
    // Nobody waits for the reply any more: the transaction of the request is rolled back.
    if ('headsOf' in task || ('request' in task && task.isAtomic)) process.exit(1);
  });
  try {
    if ('headsOf' in task) {
      await runHeadTask(task, tell);
      return 0;
    }
    await withServices(async (services) => {
      const { embedded, sqlitePath } = services.get(Environment);
      // A file that has gone is not to be made anew.
      if (embedded && !existsSync(sqlitePath)) throw new FileGoneError();
      await services.get(Database).connect(true);
      if ('request' in task)
        await runTask(services.get(ImportService), task, process.stdin, stop.signal, tell);
      else if ('compared' in task) await runComparison(services.get(SeriesComparer), task, stop.signal, tell);
      else await runProposal(() => services.get(NamesOfRecords).read(), task, stop.signal, tell);
    });
  } catch (error) {
    tell({ kind: 'failure', failure: failureOf(error) });
  } finally {
    process.disconnect?.();
    process.stdin.destroy();
  }
  return 0;
});

function tell(message: TaskMessage): void {
  // The service may have been killed: then it is of no interest, and the import ends by itself.
  if (process.connected) process.send!(message, undefined, undefined, () => undefined);
}
