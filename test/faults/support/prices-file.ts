import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from './resources.js';

/** The first line of an import file in the format `prices`. */
export const PRICES_HEADER = [
  'uuid',
  'iso3_country_code',
  'commodity',
  'price_type',
  'market',
  'source',
  'currency',
  'measure_unit',
  'date',
  'periodicity',
  'price_value',
].join(',');
const COUNTRIES = ['KEN', 'UGA', 'TZA', 'ETH', 'RWA', 'MLI', 'NER', 'TCD'];
const DAY = 86_400_000;

/** The uuid of a generated series. */
export function generatedUuid(series: number): string {
  const hex = createHash('sha256').update(`series ${series}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Writes an import file in the format `prices` with daily prices, ordered by series. */
export function writePricesFile(series: number, days: number): string {
  const path = join(createFolder(), 'prices.csv');
  const file = openSync(path, 'w');
  writeSync(file, `${PRICES_HEADER}\r\n`);
  const start = Date.UTC(2015, 0, 1);
  for (let number = 0; number < series; number++) {
    const attributes = [
      generatedUuid(number),
      COUNTRIES[number % COUNTRIES.length],
      `Commodity ${number % 40}`,
      'RETAIL',
      `Market ${Math.floor(number / 40)}`,
      'Faults',
      'USD',
      'Kg',
    ].join(',');
    let lines = '';
    for (let day = 0; day < days; day++) {
      const date = new Date(start + day * DAY).toISOString().slice(0, 10);
      lines += `${attributes},${date},daily,${((number * 31 + day * 7) % 1000) / 4 + 1}\r\n`;
    }
    writeSync(file, lines);
  }
  closeSync(file);
  return path;
}
