import { parseArgs } from 'node:util';
import { MAX_TITLE_LENGTH } from '../editions/edition.dto.js';
import { EditionMaking } from '../editions/edition-making.js';
import { Editions } from '../editions/editions.js';
import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { parseId } from '../platform/validation/parsers.js';
import { limitHeapGrowth } from '../platform/runtime/garbage-collection.js';
import { withDatabase } from './command-services.js';

const USAGE = `Usage: npm run edition -- --title TEXT [--revision NUMBER]

Freezes the data as files in EDITIONS_DIR, also while the service runs, which serves them at
/editions/NUMBER/. One edition is made at a time.

  --title TEXT         what it is called, such as 2026-11
  --revision NUMBER    the revision of the data; the newest by default

Exit codes: 0 done, 1 failed, 2 invalid arguments.`;

/** Keeps the command within 400 MB with ten million prices. */
const HEAP_GROWTH_PERCENT = 30;

/** `npm run edition`: makes an edition, or the one that a holder of the lock has begun. */
await runCommand(USAGE, (args) => {
  limitHeapGrowth(HEAP_GROWTH_PERCENT);
  const request = parseArguments(args);
  return withDatabase(async (services) => {
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    const editions = services.get(Editions);
    const begun =
      'holder' in request
        ? await editions.begunBy(request.holder)
        : await editions.begin({ ...request, caller: null, requestId: null });
    await services.get(EditionMaking).make(begun, stop.signal);
    const { points, series } = await editions.read(begun.number);
    console.log(
      `Edition ${begun.number} of revision ${begun.revision} has ${points} prices of ${series} series.`,
    );
    return 0;
  });
});

/** @throws UsageError */
function parseArguments(args: string[]): { holder: string } | { title: string; revision?: number } {
  const { title: given = '', revision, begun } = parseOptions(args);
  if (begun !== undefined) return { holder: begun };
  const title = given.normalize('NFC').trim();
  if (title === '' || /\p{Cc}/u.test(title) || Array.from(title).length > MAX_TITLE_LENGTH)
    throw new UsageError(`--title must be one line of at most ${MAX_TITLE_LENGTH} characters.`);
  if (revision === undefined) return { title };
  const number = parseId(revision);
  if (Number.isNaN(number)) throw new UsageError('--revision must be the number of a revision.');
  return { title, revision: number };
}

function parseOptions(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    // The service hands over what it has begun with `--begun`.
    return parseArgs({ args, options: { title: text, revision: text, begun: text } }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
