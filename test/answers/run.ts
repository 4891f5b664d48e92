import { parseArgs } from 'node:util';
import { cleanUp } from '../faults/support/resources.js';
import { compareFiles } from './compare/report.js';
import { recordService, type Setup } from './record/record-service.js';
import { dropDatabases, ENGINES } from './service/databases.js';

/*
 *   npm run test:answers -- [--service DIR] [--engine sqlite|mariadb] [--workers N] --out FILE
 *   npm run test:answers -- --compare OLD NEW [--texts FILE]… [--any-process]
 *
 * Records what the built service of a checkout replies to a fixed list of requests, or compares two
 * such recordings, with --any-process those of services with several workers. Ends with 1 where
 * they differ, 2 where it was not understood.
 */

const usage = `Usage: npm run test:answers -- [--service DIR] [--engine ${ENGINES.join('|')}] [--workers N] --out FILE
       npm run test:answers -- --compare OLD NEW [--texts FILE]… [--any-process]`;

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      service: { type: 'string', default: '.' },
      engine: { type: 'string', default: 'sqlite' },
      workers: { type: 'string', default: '1' },
      out: { type: 'string' },
      compare: { type: 'string' },
      texts: { type: 'string', multiple: true, default: [] },
      'any-process': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const [newer, ...more] = positionals;
  if (values.compare !== undefined && newer !== undefined && more.length === 0) {
    const options = { texts: values.texts, anyProcess: values['any-process'] };
    return compareFiles(values.compare, newer, options, console.log) ? 0 : 1;
  }
  const engine = ENGINES.find((each) => each === values.engine);
  const { out, workers } = values;
  if (out === undefined || engine === undefined || !/^[1-9]$/.test(workers) || positionals.length > 0) {
    console.error(usage);
    return 2;
  }
  return record(values.service, { engine, workers }, out);
}

async function record(folder: string, setup: Setup, out: string): Promise<number> {
  process.once('exit', cleanUp);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void dropDatabases().finally(() => process.exit(1)));
  }
  try {
    await recordService(folder, setup, out, console.log);
    return 0;
  } finally {
    await dropDatabases();
  }
}

process.exit(
  await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }),
);
