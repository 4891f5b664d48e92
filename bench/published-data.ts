import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from './data.js';
import type { LoadRequest } from './load.js';
import type { MeasuredServer } from './processes.js';
import { API_BASE } from './scenarios.js';
import { admin, httpGet, httpPost } from './servers.js';

/** Series whose points are changed. */
const CHANGED_SERIES = 200;
/** Prices change by so much at most: others would be outliers. */
const MAX_CHANGE = 0.02;

/** Imports a file of the format `wfp` into a database without tables, by a build's commands. */
export function importFile(dist: string, url: string, file: string): void {
  // On SQLite the import makes the file.
  if (!url.startsWith('sqlite:')) runCommand(dist, url, 'migrate', []);
  runCommand(dist, url, 'import', ['wfp', file]);
}

/** Runs a command of a build, which may be that of another commit. */
function runCommand(dist: string, url: string, name: 'import' | 'migrate', args: readonly string[]): void {
  const { scripts } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8')) as {
    scripts: Record<typeof name, string>;
  };
  const script = /dist\/(\S+\.command\.js)/.exec(scripts[name])![1]!;
  const { status, stderr } = spawnSync(process.execPath, [join(dist, script), ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: url, NODE_ENV: 'test' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

/** Writes of records and prices that a service has; no two of them in turn are the same. */
export async function publishedWrites({ port }: MeasuredServer): Promise<Record<string, () => LoadRequest>> {
  const json = async <T>(path: string) =>
    JSON.parse((await httpGet(port, API_BASE + path)).body.toString()) as T;
  const { access } = await httpPost<{ access: string }>(port, '/api/auth/login/', admin);
  const headers = { Authorization: `Bearer ${access}` };
  const next = seeded(1);
  const one = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!;
  const { results } = await json<{ results: { uuid: string }[] }>('/PriceSerie/?page_size=10000');
  const points: { path: string; price: number }[] = [];
  for (let count = 0; count < CHANGED_SERIES; count++) {
    const { uuid } = one(results);
    const { datapoints } = await json<{
      datapoints: { id: number; price_value: number; calculated?: true }[];
    }>(`/PriceSeriePrice/${uuid}/`);
    for (const { id, price_value: price, calculated } of datapoints)
      if (!calculated) points.push({ path: `${API_BASE}/PriceSeriePrice/${uuid}/${id}/`, price });
  }
  const commodities = (await json<{ results: { id: number }[] }>('/Commodity/?page_size=1000')).results;
  let number = 0;
  return {
    'POST Commodity': () => ({
      method: 'POST',
      path: `${API_BASE}/Commodity/`,
      headers,
      body: { commodity_name: `Measured ${++number}` },
    }),
    'PATCH category': () => ({
      method: 'PATCH',
      path: `${API_BASE}/Commodity/${one(commodities).id}/`,
      headers,
      body: { commodity_category: `Measured ${++number}` },
    }),
    'PATCH price': () => {
      const { path, price } = one(points);
      const changed = price * (1 + MAX_CHANGE * (2 * next() - 1));
      return { method: 'PATCH', path, headers, body: { price_value: Number(changed.toFixed(2)) } };
    },
  };
}
