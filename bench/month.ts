import {
  copyFileSync,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  rmSync,
  type WriteStream,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { createDatabase, dropDatabases, fileBytes } from './databases.js';
import { runStep } from './imports.js';
import { median } from './rounds.js';

/*
 * What findings cost where a new month of a country is imported after all other prices:
 *
 *   npm run build && node dist/bench/month.js FILE COUNTRY MONTH [PAIRS]
 *       FILE has the prices of many countries as WFP publishes them, as `.csv.gz`
 *
 * Imports everything into a database but the prices of the country in the month (`2023-10`) and
 * later, and then, into copies of it, the month alone and the country's whole file with it, each
 * with and without findings in turns. States what the import takes, and what its process does with
 * its start, as each `npm run import` has one.
 */

const [file, country, month, pairs = '7'] = process.argv.slice(2);
if (file === undefined || country === undefined || month === undefined)
  throw new Error('Usage: node dist/bench/month.js FILE COUNTRY MONTH [PAIRS]');

const MEASURES = {
  import: 'processor time of the import',
  process: 'processor time of its process',
  elapsed: 'time of the import',
} as const;

const folder = mkdtempSync(join(tmpdir(), 'pds-bench-month-'));
const paths = {
  base: join(folder, 'base.csv'),
  month: join(folder, 'month.csv'),
  country: join(folder, 'country.csv'),
};

/** Writes what is there before the month, the month, and all of the country up to it. */
async function splitFile(): Promise<void> {
  const out = Object.values(paths).map((path) => createWriteStream(path));
  const [base, newest, whole] = out as [WriteStream, WriteStream, WriteStream];
  const prefix = `${country},`;
  let isHeader = true;
  for await (const line of createInterface({ input: createReadStream(file!).pipe(createGunzip()) })) {
    // The date is the second column.
    const monthOfLine = line.slice(prefix.length, prefix.length + 7);
    const targets = isHeader
      ? out
      : !line.startsWith(prefix)
        ? [base]
        : monthOfLine < month!
          ? [base, whole]
          : monthOfLine === month
            ? [newest, whole]
            : [];
    for (const target of targets) if (!target.write(`${line}\n`)) await once(target, 'drain');
    isHeader = false;
  }
  for (const target of out) await once(target.end(), 'finish');
}

try {
  await splitFile();
  const base = await createDatabase('SQLite');
  await runStep('import', paths.base, base.url, 'wfp');
  fileBytes(base);
  const copy = join(folder, 'copy.sqlite');
  for (const name of ['month', 'country'] as const) {
    const found = { import: [], 'import-unchecked': [] } as Record<
      string,
      { import: number; process: number; elapsed: number }[]
    >;
    let rows = 0;
    for (let pair = 0; pair < Number(pairs); pair++) {
      const steps = ['import', 'import-unchecked'];
      for (const step of pair % 2 === 0 ? steps : steps.reverse()) {
        copyFileSync(base.url.slice('sqlite:'.length), copy);
        const metrics = await runStep(step, paths[name], `sqlite:${copy}`, 'wfp');
        for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
        rows = metrics.rows;
        found[step]!.push({
          import: (metrics.cpu * rows) / 1e6,
          process: metrics.processCpu,
          elapsed: metrics.seconds,
        });
      }
    }
    for (const measure of ['import', 'process', 'elapsed'] as const) {
      const [checked, unchecked] = [found.import!, found['import-unchecked']!].map((list) =>
        list.map((one) => one[measure]),
      ) as [number[], number[]];
      const ratios = checked.map((value, pair) => value / unchecked[pair]!);
      const shown = (values: readonly number[]) => median([...values]).toFixed(3);
      console.log(
        `${name}, ${rows} rows, ${MEASURES[measure]}: ${shown(checked)} s,` +
          ` without findings ${shown(unchecked)} s, ratio ${shown(ratios)}` +
          ` (${ratios
            .map((ratio) => ratio.toFixed(2))
            .sort()
            .join(', ')})`,
      );
    }
  }
} finally {
  await dropDatabases();
  rmSync(folder, { recursive: true, force: true });
}
