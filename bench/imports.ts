import BetterSqlite3 from 'better-sqlite3';
import { createWriteStream, existsSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { isoFromDay } from '../src/lib/dates/calendar-date.js';
import { PERIOD_NAMES, type Period } from '../src/price-series/periodicity.js';
import type { StepMetrics } from './import-step.js';
import { createDatabase, type Engine } from './databases.js';
import { startScript } from './processes.js';
import { median } from './rounds.js';

/** A file that is imported. */
export interface ImportFile {
  name: string;
  path: string;
  format: string;
  country?: string;
}

/** Medians over rounds, in rows per second. */
export interface ImportMetrics {
  imported: number;
  parsed: number;
  inserted: number;
  /** The import / the slower of the other two, computed within each round. */
  ratio: number;
  /** The processor time of the import without findings / that with them, within each round. */
  findingsRatio: number;
  /** Peak memory in MB, in the first half of the file and in the second. */
  memory: [number, number];
  rows: number;
  /** Microseconds of processor time per row, of the three. */
  cpu: { imported: number; parsed: number; inserted: number };
}

/** The Node options of `npm run import`; its two halves run with them as well. */
const IMPORT_OPTIONS = ['--v8-pool-size=1'];

const here = new URL('.', import.meta.url).pathname;
/** The folder of published files, which may be missing. */
const publishedFolder = process.env.BENCH_DATA ?? join(process.cwd(), '../shared/data');

/** The header of the service's own CSV. */
export const CSV_HEADER =
  'uuid,iso3_country_code,country_name,admin_unit,admin_unit2,market,commodity,price_type,source,currency,measure_unit,periodicity,date,price_value\n';

/** The published files that exist, and a notice for each that does not. */
export function publishedFiles(): { files: ImportFile[]; missing: string[] } {
  const daily = join(publishedFolder, 'daily/ind_doca_daily_long_2018.csv.gz');
  const large = join(publishedFolder, 'wfp/large');
  const files: ImportFile[] = [];
  const missing: string[] = [];
  if (existsSync(daily))
    files.push({ name: 'daily prices of India', path: daily, format: 'wfp', country: 'IND' });
  else missing.push(`The daily prices of India are missing (${daily}): their import is skipped.`);
  const found = existsSync(large) ? readdirSync(large).filter((name) => name.endsWith('.csv.gz')) : [];
  for (const name of found)
    files.push({ name: 'prices of 58 countries', path: join(large, name), format: 'wfp' });
  if (found.length === 0) missing.push(`There is no large WFP file (${large}): its import is skipped.`);
  return { files, missing };
}

/**
 * Writes the original points of a filled SQLite database as the service's own CSV.
 * @param series the largest number of series
 */
export async function writeCsv(url: string, path: string, series: number): Promise<void> {
  const database = new BetterSqlite3(url.slice('sqlite:'.length), { readonly: true });
  const out = createWriteStream(path);
  out.write(CSV_HEADER);
  const entries = database
    .prepare(
      `SELECT s.id, s.uuid, m.iso3_country_code, m.country_name, m.admin_unit, m.admin_unit2, m.name, c.name, t.name, o.name,
        s.currency, u.name
      FROM price_serie s JOIN market m ON m.id = s.market_id JOIN commodity c ON c.id = s.commodity_id
        JOIN price_type t ON t.id = s.price_type_id JOIN source o ON o.id = s.source_id
        JOIN measure_unit u ON u.id = s.measure_unit_id
      ORDER BY s.id LIMIT ?`,
    )
    .raw(true)
    .all(series) as (string | number)[][];
  const points = database
    .prepare('SELECT period, day, value FROM observation WHERE serie_id = ? ORDER BY period, day')
    .raw(true);
  for (const [id, ...texts] of entries) {
    const start = texts.map((text) => (String(text).includes(',') ? `"${text}"` : text)).join(',');
    let lines = '';
    for (const [period, day, value] of points.all(id) as [Period, number, number][]) {
      lines += `${start},${PERIOD_NAMES[period]},${isoFromDay(day)},${value}\n`;
    }
    if (!out.write(lines)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  database.close();
}

/** Measures the import of a file into empty databases, and its two halves alone, in rounds. */
export async function measureImport(
  engine: Engine,
  { path, format, country }: ImportFile,
  rounds: number,
): Promise<ImportMetrics> {
  const countryArgument = country === undefined ? [] : [country];
  const found: Record<'unchecked' | 'parse' | 'import' | 'insert', StepMetrics>[] = [];
  for (let round = 0; round < rounds; round++) {
    const unchecked = await inDatabase(engine, (url) =>
      runStep('import-unchecked', path, url, format, ...countryArgument),
    );
    const others = await inDatabase(engine, async (url) => ({
      parse: await runStep('parse', path, url, format, ...countryArgument),
      import: await runStep('import', path, url, format, ...countryArgument),
      insert: await runStep('insert', path, url),
    }));
    found.push({ unchecked, ...others });
  }
  const rate = ({ rows, seconds }: StepMetrics) => rows / seconds;
  const medianOf = (metric: (round: (typeof found)[number]) => number) => median(found.map(metric));
  return {
    imported: medianOf((round) => rate(round.import)),
    parsed: medianOf((round) => rate(round.parse)),
    inserted: medianOf((round) => rate(round.insert)),
    ratio: medianOf((round) => rate(round.import) / Math.min(rate(round.parse), rate(round.insert))),
    findingsRatio: medianOf((round) => round.unchecked.cpu / round.import.cpu),
    memory: [medianOf((round) => round.import.memory[0]), medianOf((round) => round.import.memory[1])],
    rows: found[0]!.import.rows,
    cpu: {
      imported: medianOf((round) => round.import.cpu),
      parsed: medianOf((round) => round.parse.cpu),
      inserted: medianOf((round) => round.insert.cpu),
    },
  };
}

/** Lets some work use an empty database of its own. */
async function inDatabase<T>(engine: Engine, work: (url: string) => Promise<T>): Promise<T> {
  const database = await createDatabase(engine);
  try {
    return await work(database.url);
  } finally {
    await database.drop();
  }
}

/** Runs one measurement in a process of its own. */
export function runStep(...args: string[]): Promise<StepMetrics> {
  const child = startScript(join(here, 'import-step.js'), args, { LOG_LEVEL: 'warn' }, true, IMPORT_OPTIONS);
  return new Promise((resolve, reject) => {
    child.once('message', (metrics) => resolve(metrics as StepMetrics));
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} exited with code ${code}.`)));
  });
}
