import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { WriteStream } from 'node:tty';
import { UsageError } from '../platform/commands/run-command.js';
import { ImportRunning } from '../platform/errors/api-error.js';
import { MAX_REASON_LENGTH } from '../ledger/changes/change-set.js';
import { importMode } from '../ledger/corrections/correction.js';
import { ImportRejected } from './formats/batch.js';
import { encodingOf } from './containers/text-encoding.js';
import { DATE_ORDERS } from './formats/convention/date-order.js';
import { DECIMAL_SIGNS } from './formats/convention/number-signs.js';
import { importFormats } from './formats/index.js';
import { acceptedFormats } from './import.parameters.js';
import { isMappingName, type Mapping } from './mappings/mapping.js';
import { InvalidMappingFile, readMappingFile } from './mappings/mapping-file.js';
import { withMapping } from './mappings/shipped-mappings.js';
import { type MappingStore, readBy } from './mappings/stored/mapping-store.js';
import { exitCodeOf, reportText } from './pipeline/import-report.js';
import type { ImportReport } from './pipeline/import-report.dto.js';
import type { ImportRequest, ImportService } from './import.service.js';
import { openInput } from './pipeline/input.js';
import { createProgressBar } from './progress-bar.js';

/** Frequencies of prices, by their names. */
const PERIODS = ['daily', 'weekly', 'monthly'] as const;

export const IMPORT_USAGE = `Usage: npm run import -- FORMAT FILE|URL|- [options]
       npm run import -- --mapping MAPPING FILE|URL|- [options]

FORMAT is ${acceptedFormats.words}.

  --mapping FILE           read the input by the mapping in a file of JSON, in place of a format
  --dry-run                report what would be imported, and store nothing
  --country CODE           country (ISO 3166 alpha-3) of a wfp or prices file without a column of countries
  --source NAME            source of a wfp, fx or cpi file, in place of the one it is known by, or of a prices file without it
  --price-type TYPE        type of the prices of a prices file without it, such as RETAIL or WHOLESALE
  --period PERIOD          frequency of the prices of a wfp file, required if they are not dated the 15th, or of a prices file without it: daily, weekly or monthly
  --decimal SIGN           decimal sign of numbers that are texts, as in CSV, required where none shows it: comma or point
  --dates ORDER            order of dates that are texts, as in CSV, required where none shows it: ymd, dmy or mdy
  --invert                 store 1 ÷ rate of an fx file, whose rates are dollars for a unit
  --file NAME              file of a zip archive, required of one with several files of data
  --sheet NAME             sheet of a workbook, required where several have a table of the format
  --encoding NAME          encoding of the file, such as windows-1251; by default UTF-8, or UTF-16 where it is recognised
  --include-forecast       also store forecasts
  --overrule-corrections   store the values of the file where corrections stand, and end these
  --fill-only              only add points and records; change none that is stored
  --replace                also change rates and indices of other sources
  --reason TEXT            why, for everybody to read in the list of change sets
  --report FILE            write the report, including rejected rows, as JSON to FILE

Exit codes: 0 all rows imported, 1 failed or no rows imported, 2 invalid arguments, 3 some rows rejected.`;

/** Where the command writes. */
export interface ImportTerminal {
  print(text: string): void;
  printError(text: string): void;
  /** For the progress bar. */
  readonly progressStream: Pick<WriteStream, 'isTTY' | 'write'>;
}

/** What the command imports with, once the database is open. */
interface ImportServices {
  readonly service: ImportService;
  readonly mappings: Pick<MappingStore, 'find'>;
}

/** A parsed command line. */
interface ImportArguments {
  readonly request: ImportRequest;
  readonly target: string;
  readonly reportFile: string | undefined;
}

/**
 * Runs `npm run import`, apart from the process.
 * @param connect opens the database, after the input: where there is none, nothing is affected
 * @returns the exit code
 * @throws UsageError for a format that is neither one of the service nor a stored mapping
 */
export async function runImport(
  { request: given, target, reportFile }: ImportArguments,
  connect: () => Promise<ImportServices>,
  terminal: ImportTerminal,
): Promise<number> {
  try {
    const input = await openInput(target);
    const { service: imports, request } = await connect()
      .then(async ({ service, mappings }) => ({ service, request: await withStored(given, mappings) }))
      .catch(async (error: unknown) => {
        await input.close();
        throw error;
      });
    const progress = createProgressBar(terminal.progressStream, input);
    const printReport = (report: ImportReport) => {
      progress.clear();
      terminal.print(reportText(report, request.dryRun && isMapped(request)));
      if (reportFile !== undefined) writeFileSync(reportFile, `${JSON.stringify(report, null, 2)}\n`);
    };
    const report = await imports.import(request, input, progress.update, printReport).finally(progress.clear);
    return exitCodeOf(report);
  } catch (error) {
    if (error instanceof ImportRejected) terminal.printError(error.message);
    else if (error instanceof ImportRunning) terminal.printError(`${error.detail} (${error.code})`);
    else throw error;
    return 1;
  }
}

/** The request with the mapping that its format names, where that is a stored one. */
async function withStored(
  request: ImportRequest,
  mappings: Pick<MappingStore, 'find'>,
): Promise<ImportRequest> {
  const { format, options } = request;
  if (options.mapping !== undefined || Object.hasOwn(importFormats, format)) return request;
  const stored = await mappings.find(format);
  if (stored === null) throw unknownFormat(format);
  return readBy(request, stored);
}

const unknownFormat = (format: string) =>
  new UsageError(`Unknown format ${JSON.stringify(format)}: no format and no stored mapping has the name.`);

const isMapped = ({ format, options }: ImportRequest): boolean =>
  withMapping(format, options).mapping !== undefined;

/** Parses the command line after the command's name. @throws UsageError */
export function parseArguments(argv: string[]): ImportArguments {
  const { values, positionals } = parseOptions(argv);
  const mapping = parseMapping(values.mapping);
  const [format, target, ...rest] = mapping === undefined ? positionals : [mapping.name, ...positionals];
  if (format === undefined || target === undefined || rest.length > 0) {
    throw new UsageError(
      mapping === undefined
        ? 'Specify a format and one file, URL or -.'
        : 'Specify one file, URL or - beside --mapping, and no format.',
    );
  }
  if (mapping === undefined && !Object.hasOwn(importFormats, format) && !isMappingName(format))
    throw unknownFormat(format);
  const period = parseChoice('--period', PERIODS, values.period);
  const decimal = parseChoice('--decimal', DECIMAL_SIGNS, values.decimal);
  const dates = parseChoice('--dates', DATE_ORDERS, values.dates);
  const mode = importMode({
    overrule_corrections: values['overrule-corrections'],
    fill_only: values['fill-only'],
  });
  if (mode === null) throw new UsageError('--overrule-corrections and --fill-only exclude each other.');
  return {
    request: {
      format,
      options: {
        mapping,
        country: values.country,
        source: values.source,
        priceType: values['price-type'],
        period,
        decimal,
        dates,
        invert: values.invert,
        file: values.file,
        sheet: values.sheet,
        encoding: parseEncoding(values.encoding),
        includeForecast: values['include-forecast'],
      },
      dryRun: values['dry-run'] ?? false,
      reason: parseReason(values.reason ?? ''),
      mode,
      replace: values.replace ?? false,
      caller: null,
      requestId: null,
    },
    target,
    reportFile: values.report,
  };
}

function parseOptions(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        mapping: { type: 'string' },
        'dry-run': { type: 'boolean' },
        country: { type: 'string' },
        source: { type: 'string' },
        'price-type': { type: 'string' },
        period: { type: 'string' },
        decimal: { type: 'string' },
        dates: { type: 'string' },
        invert: { type: 'boolean' },
        file: { type: 'string' },
        sheet: { type: 'string' },
        encoding: { type: 'string' },
        'include-forecast': { type: 'boolean' },
        'overrule-corrections': { type: 'boolean' },
        'fill-only': { type: 'boolean' },
        replace: { type: 'boolean' },
        reason: { type: 'string' },
        report: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function parseMapping(path: string | undefined): Mapping | undefined {
  try {
    return path === undefined ? undefined : readMappingFile(path);
  } catch (error) {
    if (error instanceof InvalidMappingFile) throw new UsageError(error.message);
    throw error;
  }
}

function parseEncoding(label: string | undefined): string | undefined {
  const encoding = label === undefined ? undefined : encodingOf(label);
  if (encoding === null)
    throw new UsageError('--encoding must be the label of an encoding, such as windows-1251.');
  return encoding;
}

function parseReason(reason: string): string {
  const normal = reason.normalize('NFC').trim();
  if (/\p{Cc}/u.test(normal)) throw new UsageError('--reason must be one line of text.');
  if (Array.from(normal).length > MAX_REASON_LENGTH)
    throw new UsageError(`--reason must have at most ${MAX_REASON_LENGTH} characters.`);
  return normal;
}

/** The value of an option that must be one of some. @throws UsageError */
function parseChoice<T extends string>(
  option: string,
  choices: readonly T[],
  value: string | undefined,
): T | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`${option} must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}.`);
}
