import { parseArgs } from 'node:util';
import { BatchReverts } from '../history/revert/batch-reverts.js';
import { resultText } from '../history/revert/revert-text.js';
import { MAX_REASON_LENGTH } from '../ledger/changes/change-set.js';
import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { parseId } from '../platform/validation/parsers.js';
import { withDatabase } from './command-services.js';

const USAGE = `Usage: npm run revert -- ID [options]

Reverts the change set with this id. If it is stopped, run it again.

  --dry-run      report what would be reverted, and store nothing
  --reason TEXT  why, for everybody to read in the list of change sets`;

/** `npm run revert`: reverts a change set of any size, also while the service runs. */
await runCommand(USAGE, (args) => {
  const { id, reason, dryRun } = parseArguments(args);
  return withDatabase(async (services) => {
    const request = { reason, dryRun, caller: null, requestId: null };
    console.log(resultText(id, await services.get(BatchReverts).revert(id, request)));
    return 0;
  });
});

/** @throws UsageError */
function parseArguments(args: string[]) {
  const { positionals, values } = parseOptions(args);
  const id = parseId(positionals[0] ?? '');
  if (Number.isNaN(id) || positionals.length > 1) throw new UsageError('Specify the id of one change set.');
  const reason = (values.reason ?? '').normalize('NFC').trim();
  if (/\p{Cc}/u.test(reason) || Array.from(reason).length > MAX_REASON_LENGTH)
    throw new UsageError(`--reason must be one line of at most ${MAX_REASON_LENGTH} characters.`);
  return { id, reason, dryRun: values['dry-run'] ?? false };
}

function parseOptions(args: string[]) {
  try {
    const options = { 'dry-run': { type: 'boolean' }, reason: { type: 'string' } } as const;
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
