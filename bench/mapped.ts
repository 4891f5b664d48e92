import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { plainToInstance } from 'class-transformer';
import { median } from './rounds.js';
import type * as Mappings from '../src/import/mappings/mapping.js';
import type * as Inputs from '../src/import/pipeline/input.js';
import type * as Reading from '../src/import/pipeline/reading/read-input.js';

/*
 *   npm run bench:mapped -- [FILE] [--turns 7] [--release DIST]
 *
 * Rows a second of one file that the format `wfp` reads and a mapping of the same columns, in
 * turn in one process, as an import reads them. FILE has WFP's header of several countries; without
 * it, a file of 400,000 rows is made up, without quotes and with them. `--release` is the build
 * folder of another release.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    turns: { type: 'string', default: '7' },
    release: { type: 'string', default: join(import.meta.dirname, '..') },
  },
});
const dist = resolve(values.release);
const { openInput } = (await import(join(dist, 'src/import/pipeline/input.js'))) as typeof Inputs;
const { readInput } = (await import(
  join(dist, 'src/import/pipeline/reading/read-input.js')
)) as typeof Reading;

const { Mapping } = (await import(join(dist, 'src/import/mappings/mapping.js'))) as typeof Mappings;

const COUNTRIES = ['KEN', 'UGA', 'TZA', 'RWA'];
const YEARS = 20;
const MADE_UP_ROWS = 400_000;
const HEADER =
  'countryiso3,date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice';
const mapping = plainToInstance(Mapping, {
  name: 'wfp-columns',
  table: 'prices',
  skip: [{ column: 'priceflag', equals: 'forecast' }],
  fields: {
    iso3_country_code: { column: 'countryiso3' },
    admin_unit: { column: 'admin1' },
    admin_unit2: { column: 'admin2' },
    market: { column: 'market' },
    latitude: { column: 'latitude' },
    longitude: { column: 'longitude' },
    category: { column: 'category' },
    commodity: { column: 'commodity' },
    price_type: { column: 'pricetype' },
    source: { value: 'World Food Programme (WFP)' },
    currency: { column: 'currency' },
    measure_unit: { column: 'unit' },
    date: { column: 'date', format: '%Y-%m-%d' },
    periodicity: { value: 'monthly' },
    price_value: { column: 'price' },
  },
});

/** Writes prices by market, commodity and month. */
async function writePrices(path: string, text: (name: string) => string): Promise<void> {
  const out = createWriteStream(path);
  out.write(`${HEADER}\n`);
  const series = MADE_UP_ROWS / (YEARS * 12);
  for (let serie = 0; serie < series; serie++) {
    const country = COUNTRIES[serie % COUNTRIES.length]!;
    const market = 1 + (serie >> 3);
    const place = `${text(`Region ${market % 12}`)},${text(`District ${market % 60}`)},${text(`Market ${market}`)}`;
    const commodity = text(`${serie % 2 === 0 ? 'Maize' : 'Beans'} ${serie % 8}`);
    let lines = '';
    for (let month = 0; month < YEARS * 12; month++) {
      const date = `${2004 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-15`;
      const price = (20 + ((serie * 31 + month * 17) % 400) / 7).toFixed(2);
      lines += `${country},${date},${place},-1.28,36.82,cereals and tubers,${commodity},KG,actual,Retail,KES,${price},0.4\n`;
    }
    if (!out.write(lines)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

/** @returns rows a second, by the clock and by processor time */
async function rate(
  path: string,
  format: 'wfp' | 'mapped',
): Promise<{ clock: number; cpu: number; rows: number }> {
  const input = await openInput(path);
  const before = process.cpuUsage();
  const began = performance.now();
  let rows = 0;
  for await (const { read } of readInput(format, input, format === 'wfp' ? {} : { mapping }, 10_000))
    rows += read;
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  await input.close();
  return { clock: rows / seconds, cpu: (rows * 1e6) / (user + system), rows };
}

async function compare(name: string, path: string): Promise<void> {
  const found: { clock: number; cpu: number; wfp: number; mapped: number }[] = [];
  let rows = 0;
  for (let turn = 0; turn < Number(values.turns); turn++) {
    const first = turn % 2 === 0 ? await rate(path, 'wfp') : null;
    const mapped = await rate(path, 'mapped');
    const wfp = first ?? (await rate(path, 'wfp'));
    rows = mapped.rows;
    if (wfp.rows !== rows) throw new Error(`${name}: wfp read ${wfp.rows} rows, the mapping ${rows}.`);
    found.push({
      clock: mapped.clock / wfp.clock,
      cpu: mapped.cpu / wfp.cpu,
      wfp: wfp.clock,
      mapped: mapped.clock,
    });
  }
  const medianOf = (key: keyof (typeof found)[number]) => median(found.map((turn) => turn[key]));
  console.log(
    `${name}: ${rows} rows; wfp ${Math.round(medianOf('wfp'))} rows/s, mapped ${Math.round(medianOf('mapped'))}; ` +
      `mapped / wfp ${medianOf('clock').toFixed(2)} by the clock, ${medianOf('cpu').toFixed(2)} by processor time`,
  );
}

const [file] = positionals;
if (file !== undefined) {
  await compare(file, file);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'pds-mapped-'));
  try {
    const path = join(folder, 'prices.csv');
    await writePrices(path, (name) => name);
    await compare('without quotes', path);
    await writePrices(path, (name) => `"${name}"`);
    await compare('with quotes', path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exit(0);
