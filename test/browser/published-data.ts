import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { buildService } from './service.js';
import type { SlippedUpload } from './task-data.js';

/** Published files, beside the checkout: prices of 58 countries, exchange rates, price indices. */
const FILES = {
  prices: 'wfp/large/wfp_food_prices_58countries_2023-08.csv.gz',
  rates: 'fx/fx_monthly_implied_from_wfp.csv',
  indices: 'cpi/fao_cpi_monthly_long_2000_2024.csv.gz',
};
const pathOf = (file: keyof typeof FILES) => resolve('../shared/data', FILES[file]);

/** Those that are not there. */
export const missingFiles = (): string[] =>
  (Object.keys(FILES) as (keyof typeof FILES)[]).map(pathOf).filter((path) => !existsSync(path));

/** Imports them by the command. @param databaseUrl of an empty, migrated database */
export function importPublished(databaseUrl: string): void {
  buildService();
  const folder = mkdtempSync(join(tmpdir(), 'pds-rates-'));
  const rates = join(folder, 'rates.csv');
  const rows = readFileSync(pathOf('rates'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([currency, month, rate]) => `${currency},${month},monthly,${rate},official`);
  writeFileSync(rates, ['currency,date,period,rate,rate_type', ...rows, ''].join('\n'));
  for (const [format, path] of [
    ['fx', rates],
    ['cpi', pathOf('indices')],
    ['wfp', pathOf('prices')],
  ] as const) {
    const command = ['--v8-pool-size=1', 'dist/src/commands/import.command.js', format, path];
    const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
    const { status, stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' });
    // 3: some rows were rejected.
    if (status !== 0 && status !== 3) throw new Error(`The import of ${path} failed.\n${stderr}`);
  }
  rmSync(folder, { recursive: true });
}

/**
 * The month after the newest prices of a commodity in three towns, with the prices from before, of
 * which the point of one has slipped by a digit.
 */
export function publishedUpload(country: string, commodity: string): SlippedUpload {
  const lines = gunzipSync(readFileSync(pathOf('prices')))
    .toString()
    .split('\n');
  const header = lines[0]!.split(',');
  const column = (name: string) => header.indexOf(name);
  const newest = new Map<string, string[]>();
  for (const line of lines) {
    if (!line.startsWith(`${country},`) || line.includes('"')) continue;
    const row = line.split(',');
    const isRight =
      row[column('commodity')] === commodity &&
      row[column('pricetype')] === 'Retail' &&
      row[column('priceflag')] !== 'forecast';
    const known = newest.get(row[column('market')]!);
    if (isRight && (known === undefined || known[column('date')]! < row[column('date')]!))
      newest.set(row[column('market')]!, row);
  }
  const rows = [...newest.values()]
    .sort((one, other) => (one[column('date')]! < other[column('date')]! ? 1 : -1))
    .slice(0, 3)
    .map((row) => row.with(column('date'), nextMonth(row[column('date')]!)));
  const right = Number(rows[1]![column('price')]);
  const price = Number((right * 10).toFixed(2));
  rows[1]![column('price')] = String(price);
  const content = [header, ...rows].map((row) => `${row.join()}\n`).join('');
  return { name: `wfp_food_prices_${country.toLowerCase()}.csv`, content, price, right };
}

/** The same day of the next month. */
function nextMonth(date: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}
