import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase, engines, type Engine } from './databases.js';
import { seeded } from './data.js';
import { runLoad, type LoadRequest } from './load.js';
import type { MeasuredServer } from './processes.js';
import { compare } from './rounds.js';
import { API_BASE } from './scenarios.js';
import { admin, httpGet, httpPost } from './servers.js';
import type * as Servers from './servers.js';

/*
 *   npm run bench:published-writes -- --file FILE [--before DIST] [--only PATCH] [--workers 2]
 *       [--seconds 4] [--rounds 5] [--connections 1,8,32]
 *
 * Writes a second on published prices, which rules have much to say about: made-up series hide what
 * their checks cost. FILE has the format `wfp`. `--before` is the build folder of another commit,
 * whose writes are measured in turn. MariaDB is measured if TEST_DATABASE_URL names a server, on a
 * database of its own.
 */

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    before: { type: 'string' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '1,8,32' },
  },
});
if (values.file === undefined) throw new Error('Specify --file, such as wfp_food_prices_ken.csv.gz.');
const file = resolve(values.file);
const rounds = { count: Number(values.rounds), duration: Number(values.seconds) * 1000 };
/** Series whose points are changed. */
const CHANGED_SERIES = 200;
/** Prices change by so much at most: others would be outliers. */
const MAX_CHANGE = 0.02;

/** A build with the published prices in a database of its own. */
interface Release {
  server: MeasuredServer;
  writes: Record<string, () => LoadRequest>;
  drop: () => Promise<void>;
}

function importFile(dist: string, url: string): void {
  const { scripts } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8')) as {
    scripts: { import: string };
  };
  const script = /dist\/(\S+\.command\.js)/.exec(scripts.import)![1]!;
  const { status, stderr } = spawnSync(process.execPath, [join(dist, script), 'wfp', file], {
    env: { PATH: process.env.PATH, DATABASE_URL: url, NODE_ENV: 'test' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

async function writesOf({ port }: MeasuredServer): Promise<Release['writes']> {
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

async function startRelease(dist: string, engine: Engine): Promise<Release> {
  const { startService } = (await import(join(dist, 'bench/servers.js'))) as typeof Servers;
  const database = await createDatabase(engine);
  importFile(dist, database.url);
  const server = await startService(database.url, false, { WORKERS: values.workers });
  const drop = () => server.stop().then(() => database.drop());
  return { server, writes: await writesOf(server), drop };
}

const whole = (value: number) => Math.round(value).toLocaleString('en');

for (const engine of engines) {
  const ours = await startRelease(join(import.meta.dirname, '..'), engine);
  const theirs = values.before === undefined ? null : await startRelease(resolve(values.before), engine);
  for (const [name, next] of Object.entries(ours.writes)) {
    if (!name.includes(values.only)) continue;
    for (const connections of values.connections.split(',').map(Number)) {
      let cells: string;
      if (theirs === null) {
        const { perSecond, p99 } = await runLoad({
          port: ours.server.port,
          next,
          connections,
          duration: rounds.duration,
        });
        cells = `${whole(perSecond)} a second, p99 ${p99.toFixed(1)} ms`;
      } else {
        const { server, writes } = theirs;
        const compared = await compare(
          { server: ours.server, next },
          { server, next: writes[name]! },
          connections,
          rounds,
        );
        cells =
          `${whole(compared.theirs.perSecond)} → ${whole(compared.ours.perSecond)} a second,` +
          ` × ${compared.ratio.toFixed(2)}, p99 ${compared.theirs.p99.toFixed(1)} → ${compared.ours.p99.toFixed(1)} ms` +
          (Object.keys(compared.unexpected).length > 0 ? `, ${JSON.stringify(compared.unexpected)}` : '');
      }
      console.log(`${engine} | ${name} | ${connections} | ${cells}`);
    }
  }
  await ours.drop();
  await theirs?.drop();
}
process.exit(0);
