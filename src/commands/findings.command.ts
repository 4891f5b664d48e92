import { loadEnvironment } from '../config/load-environment.js';
import { Database } from '../database/database.js';
import { DataRevision } from '../ledger/revision/data-revision.js';
import { ImportLock } from '../ledger/import-lock/import-lock.js';
import { UnitOfWork } from '../ledger/unit-of-work.js';
import { Clock } from '../platform/clock/clock.js';
import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { countsText, FindingsRun } from '../quality/findings-run.js';
import { FindingsUpdater } from '../quality/findings-updater.js';

const USAGE = `Usage: npm run findings

Computes all findings anew, also while the service runs, and prints how many were opened, have
ended and are as before. If it is stopped, run it again.

Exit codes: 0 done, 1 failed, 2 invalid arguments.`;

/** `npm run findings`: for data from before the service had findings. */
await runCommand(USAGE, async (args) => {
  if (args.length > 0) throw new UsageError();
  // No entities: the statements name the tables.
  const database = new Database(loadEnvironment(), []);
  await database.connectForCommand(true);
  try {
    const unitOfWork = FindingsUpdater.observe(new UnitOfWork(database, new DataRevision(database)));
    const run = new FindingsRun(new ImportLock(unitOfWork, new Clock()));
    console.log(countsText(await run.run()));
    return 0;
  } finally {
    await database.close();
  }
});
