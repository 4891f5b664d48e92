import { parseArgs } from 'node:util';
import { compareExports } from '../mirror/compare-exports.js';
import { MirrorRun } from '../mirror/mirror-run.js';
import { MirrorSource } from '../mirror/mirror-source.js';
import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { withDatabase } from './command-services.js';

const USAGE = `Usage: npm run mirror -- URL [--once]
       npm run mirror -- URL --check MIRROR_URL

Keeps the database of DATABASE_URL equal to the service at URL, until it is stopped.

  --once              stop when everything is copied
  --check MIRROR_URL  compare what the services at both addresses export, and change nothing

What the API would reject is left out, and printed. Redirections are not followed.

Exit codes: 0 done or equal, 1 failed, different or with values left out, 2 invalid arguments.`;

function parseArguments(argv: string[]) {
  const options = { once: { type: 'boolean' }, check: { type: 'string' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options });
    const [url, ...rest] = positionals;
    if (url === undefined || rest.length > 0) throw new UsageError('Specify one URL.');
    return { url: baseOf(url), once: values.once ?? false, check: values.check && baseOf(values.check) };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message);
  }
}

/** @throws UsageError */
function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.pathname !== '/')
    throw new UsageError(`${text} must be the address of a service, such as https://prices.example.org.`);
  return url.href;
}

/** @returns how many items or prices were left out */
function mirror(url: string, once: boolean): Promise<number> {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort());
  return withDatabase(
    async (services) => {
      let copied = 0;
      let rejected = 0;
      const source = new MirrorSource(url, stop.signal, (message) => console.error(`${url}: ${message}`));
      const onCopied = (items: number) => void (copied += items);
      const onRejected = (problem: string) => {
        rejected++;
        console.error(`Left out: ${problem}`);
      };
      await services.get(MirrorRun).run({ source, signal: stop.signal, once, onCopied, onRejected });
      console.log(`Copied ${copied} changes${rejected === 0 ? '' : `, and left out ${rejected} values`}.`);
      return rejected;
    },
    { mayBeNew: true },
  );
}

/** `npm run mirror`: runs with or without a running server. */
await runCommand(USAGE, async (argv) => {
  const { url, once, check } = parseArguments(argv);
  if (check !== undefined) return (await compareExports(url, check, (line) => console.log(line))) ? 0 : 1;
  return (await mirror(url, once)) === 0 ? 0 : 1;
});
