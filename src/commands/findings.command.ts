import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { countsText, FindingsRun } from '../quality/findings-run.js';
import { withDatabase } from './command-services.js';

const USAGE = `Usage: npm run findings

Computes all findings anew, also while the service runs, and prints how many were opened, have
ended and are as before. If it is stopped, run it again.

Exit codes: 0 done, 1 failed, 2 invalid arguments.`;

/** `npm run findings`: for data from before the service had findings. */
await runCommand(USAGE, (args) => {
  if (args.length > 0) throw new UsageError();
  return withDatabase(async (services) => {
    console.log(countsText(await services.get(FindingsRun).run()));
    return 0;
  });
});
