import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { WriteStream } from 'node:tty';
import { MISUSED, UsageError } from '../common/commands/run-command.js';
import { ImportRunning } from '../common/errors/api-error.js';
import { PERIOD_NAMES, type PeriodName } from '../price-series/periodicity.js';
import { ImportRejected } from './formats/batch.js';
import { importFormats } from './formats/index.js';
import { exitCodeOf, reportText, type ImportReport } from './import-report.js';
import type { ImportRequest, ImportService } from './import.service.js';
import { openInput } from './input.js';
import { showProgress } from './progress.js';

const USAGE = `Usage: npm run import -- FORMAT FILE|URL|- [options]

FORMAT is one of ${Object.keys(importFormats).join(', ')}.

  --dry-run            say what would be done, and store nothing
  --country CODE       country (ISO 3166 alpha-3) of a wfp file that does not say its own
  --source NAME        another source than "World Food Programme (WFP)"
  --period PERIOD      daily, weekly or monthly: what the prices of a wfp file are, where they are not dated the 15th
  --include-forecast   store forecasts, too
  --report FILE        write the report, with the rejected rows, as JSON

Ends with 0 when all rows are taken, 3 when some are rejected, 1 when it failed or took none, 2 when it was not understood.`;

/** Where the command speaks. */
export interface ImportTerminal {
  say(text: string): void;
  complain(text: string): void;
  /** Where progress is drawn. */
  readonly screen: Pick<WriteStream, 'isTTY' | 'write'>;
}

interface Arguments {
  readonly request: ImportRequest;
  readonly target: string;
  readonly reportFile: string | undefined;
}

/**
 * `npm run import`, without the process around it.
 * @returns the exit code
 */
export async function runImport(
  argv: string[],
  imports: ImportService,
  terminal: ImportTerminal,
): Promise<number> {
  if (argv.some((word) => word === '--help' || word === '-h')) {
    terminal.say(USAGE);
    return 0;
  }
  try {
    const { request, target, reportFile } = readArguments(argv);
    const input = await openInput(target);
    const progress = showProgress(terminal.screen, input);
    const tell = (report: ImportReport) => {
      progress.end();
      terminal.say(reportText(report));
      if (reportFile !== undefined) writeFileSync(reportFile, `${JSON.stringify(report, null, 2)}\n`);
    };
    const report = await imports.import(request, input, progress.show, tell).finally(progress.end);
    return exitCodeOf(report);
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.complain(`${error.message}\n\n${USAGE}`);
      return MISUSED;
    }
    if (error instanceof ImportRejected) terminal.complain(error.message);
    else if (error instanceof ImportRunning) terminal.complain(`${error.detail} (${error.code})`);
    else throw error;
    return 1;
  }
}

function readArguments(argv: string[]): Arguments {
  const { values, positionals } = parse(argv);
  const [format, target, ...more] = positionals;
  if (format === undefined || target === undefined || more.length > 0) {
    throw new UsageError('A format and one file, address or - are needed.');
  }
  if (!Object.hasOwn(importFormats, format))
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
    reportFile: values.report,
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
  return (Object.values(PERIOD_NAMES) as string[]).includes(text);
}
