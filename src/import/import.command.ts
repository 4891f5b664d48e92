import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { AuditTrail } from '../audit/audit-trail.js';
import { ApiError } from '../common/errors/api-error.js';
import { Clock } from '../common/dates/clock.js';
import { InvalidEnvironment } from '../config/environment.js';
import { loadEnvironment } from '../config/load-environment.js';
import { DataRevision } from '../database/data-revision.js';
import { Database } from '../database/database.js';
import { DatabaseRefused } from '../database/database-refused.js';
import { problemOf } from '../database/problem-of.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { PeriodName } from '../price-series/periodicity.js';
import { ObservationStore } from '../prices/observation-store.js';
import { ImportRefused } from './formats/batch.js';
import { importFormats } from './formats/index.js';
import { ImportLock } from './import-lock.js';
import { exitCodeOf, reportText } from './import-report.js';
import { ImportService, type ImportRequest } from './import.service.js';
import { openInput } from './input.js';
import { showProgress } from './progress.js';

const USAGE = `Usage: npm run import -- FORMAT FILE|URL|- [options]

FORMAT is one of ${Object.keys(importFormats).join(', ')}.

  --dry-run            say what would be done, and store nothing
  --country CODE       country (ISO 3166 alpha-3) of a wfp file that does not say its own
  --source NAME        another source than "World Food Programme (WFP)"
  --period PERIOD      daily, weekly or monthly: what the prices of a wfp file are, where they are not dated the 15th
  --include-forecast   store forecasts, too
  --report FILE        write the report, with every rejected row, as JSON

Ends with 0 when all rows are taken, 3 when some are rejected, 1 when it failed or took none.`;

/** What was asked for cannot be understood. */
class UsageError extends Error {}

interface Arguments {
  request: ImportRequest;
  target: string;
  report: string | undefined;
}

function readArguments(argv: string[]): Arguments {
  const parsed = parse(argv);
  const { values, positionals } = parsed;
  const [format, target, ...more] = positionals;
  if (format === undefined || target === undefined || more.length > 0) {
    throw new UsageError('A format and one file, address or - are needed.');
  }
  if (importFormats[format] === undefined)
    throw new UsageError(`There is no format ${JSON.stringify(format)}.`);
  const { period } = values;
  if (period !== undefined && !isPeriod(period))
    throw new UsageError('--period is daily, weekly or monthly.');
  return {
    request: {
      format,
      options: {
        country: values.country,
        source: values.source,
        period,
        includeForecast: values['include-forecast'],
      },
      dryRun: values['dry-run'] ?? false,
      caller: null,
      requestId: null,
    },
    target,
    report: values.report,
  };
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean' },
        country: { type: 'string' },
        source: { type: 'string' },
        period: { type: 'string' },
        'include-forecast': { type: 'boolean' },
        report: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function isPeriod(text: string): text is PeriodName {
  return text === 'daily' || text === 'weekly' || text === 'monthly';
}

/** `npm run import`: needs no running server, and may run beside one. */
async function main(argv: string[]): Promise<number> {
  const { request, target, report: reportFile } = readArguments(argv);
  const environment = loadEnvironment();
  // Nothing here goes through an entity.
  const database = new Database(environment, []);
  await database.connect(true);
  try {
    const unitOfWork = new UnitOfWork(database, new DataRevision(database));
    const imports = new ImportService(
      unitOfWork,
      new ObservationStore(),
      new AuditTrail(new Clock()),
      new ImportLock(unitOfWork),
    );
    const input = await openInput(target);
    const progress = showProgress(process.stderr, input);
    const report = await imports.import(request, input, progress.show).finally(progress.end);
    if (reportFile !== undefined) writeFileSync(reportFile, `${JSON.stringify(report, null, 2)}\n`);
    console.log(reportText(report));
    return exitCodeOf(report);
  } finally {
    await database.close();
  }
}

/** Refusals that a person can act on need no stack. */
function isRefusal(error: unknown): error is Error {
  return [UsageError, ImportRefused, InvalidEnvironment, DatabaseRefused, ApiError].some(
    (kind) => error instanceof kind,
  );
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const known = problemOf(error) ?? error;
  if (known instanceof ApiError) console.error(known.detail);
  else if (isRefusal(known)) console.error(known.message);
  else console.error(known);
  if (known instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = 1;
}
