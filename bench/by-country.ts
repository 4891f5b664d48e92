import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isoFromDay } from '../src/lib/dates/calendar-date.js';
import { benchSerie, COUNTRIES, csvNames, type DataSize, uuidOf } from './data.js';
import { type BenchDatabase, fillRecords } from './databases.js';
import { CSV_HEADER, runStep } from './imports.js';

/** The import of all countries, one after the other. */
export interface CountryImports {
  rows: number;
  seconds: number;
  /** Rows per second of the slowest country, and of the last one, when all others are stored. */
  slowest: number;
  last: number;
  /** Microseconds of processor time per row. */
  cpu: number;
  /** Peak memory of any import, in MB. */
  memory: number;
}

/**
 * Fills a database of a size by imports of the service's own CSV, one file for each country, as
 * maintainers would; the reference tables are filled before. Writing the files does not count.
 */
export async function importByCountry(target: BenchDatabase, size: DataSize): Promise<CountryImports> {
  await fillRecords(target);
  const folder = mkdtempSync(join(tmpdir(), 'pds-countries-'));
  const path = join(folder, 'country.csv');
  const total = { rows: 0, seconds: 0, slowest: Infinity, last: 0, cpu: 0, memory: 0 };
  try {
    for (let country = 0; country < COUNTRIES; country++) {
      await writeCountry(path, size, country);
      const { rows, seconds, cpu, memory } = await runStep('import', path, target.url, 'prices');
      total.rows += rows;
      total.seconds += seconds;
      total.cpu += cpu * rows;
      total.last = rows / seconds;
      total.slowest = Math.min(total.slowest, total.last);
      total.memory = Math.max(total.memory, ...memory);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { ...total, cpu: total.cpu / total.rows };
}

async function writeCountry(path: string, size: DataSize, country: number): Promise<void> {
  const out = createWriteStream(path);
  out.write(CSV_HEADER);
  for (let number = 0; number < size.series; number++) {
    const serie = benchSerie(number, size);
    if (serie.country !== country) continue;
    const start = [uuidOf(number), ...csvNames(serie)].join(',');
    let lines = '';
    for (const [day, value] of serie.points()) lines += `${start},${isoFromDay(day)},${value}\n`;
    if (!out.write(lines)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}
