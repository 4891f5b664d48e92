import { parseArgs } from 'node:util';
import { cleanUp } from '../faults/support/resources.js';
import { compareFiles } from './compare/report.js';
import { recordService } from './record/record-service.js';
import { dropDatabases, ENGINES, type Engine } from './service/databases.js';

/*
 *   npm run test:answers -- [--service DIR] [--engine sqlite|mariadb] --out FILE
 *   npm run test:answers -- --compare OLD NEW [--texts FILE]…
 *
 * Records what the built service of a checkout replies to a fixed list of requests, or compares two
 * such recordings. Ends with 1 where they differ, 2 where it was not understood.
 */

const usage = `Usage: npm run test:answers -- [--service DIR] [--engine ${ENGINES.join('|')}] --out FILE
       npm run test:answers -- --compare OLD NEW [--texts FILE]…`;

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      service: { type: 'string', default: '.' },
      engine: { type: 'string', default: 'sqlite' },
      out: { type: 'string' },
      compare: { type: 'string' },
      texts: { type: 'string', multiple: true, default: [] },
    },
    allowPositionals: true,
  });
  const [newer, ...more] = positionals;
  if (values.compare !== undefined && newer !== undefined && more.length === 0) {
    return compareFiles(values.compare, newer, values.texts, console.log) ? 0 : 1;
  }
  const engine = ENGINES.find((each) => each === values.engine);
  if (values.out === undefined || engine === undefined || positionals.length > 0) {
    console.error(usage);
    return 2;
  }
  return record(values.service, engine, values.out);
}

async function record(folder: string, engine: Engine, out: string): Promise<number> {
  process.once('exit', cleanUp);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void dropDatabases().finally(() => process.exit(1)));
  }
  try {
    await recordService(folder, engine, out, console.log);
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
