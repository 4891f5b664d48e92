import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type * as Databases from './databases.js';
import { SIZES, SMALL_COUNTRY } from './data.js';
import { LIGHT_RATE, type LightReads, type LightReadsOptions } from './light-reads.js';
import type { MeasuredServer } from './processes.js';
import type * as Servers from './servers.js';
import { closeConnections, type Outcome, timedGet as get } from './timed-get.js';

/*
 *   npm run bench:strangers -- [--seconds 30] [--only Excel|map] [--before DIST] [--table FILE]
 *
 * What each public address costs in its dearest form, and what it does to others: one client asks
 * for it over 12 connections, while another, with an address of its own, reads light pages that no
 * cache holds. `--before` is the build folder of another release, which is measured in turn. Writes
 * the table of docs/performance.md to `--table`. Exits with 1 where a light read is not answered,
 * or takes longer at p95 than 50 ms and three times as long as those of the idle service.
 */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
    before: { type: 'string' },
    table: { type: 'string' },
  },
});
const DURATION = Number(values.seconds) * 1000;
const CONNECTIONS = 12;
/** For how long light reads are measured on the idle service. */
const IDLE_MS = Math.max(2000, DURATION / 4);
const MAX_P95 = 50;
const MAX_RATIO = 3;
/** Milliseconds that a rejected client waits. */
const REJECTED_PAUSE = 250;
const COST_REQUESTS = 3;

/** An address in its dearest form; `n` differs in each request: no cache holds its reply. */
interface Dearest {
  name: string;
  path: (n: number) => string;
  headers?: Record<string, string>;
}

interface Release {
  server: MeasuredServer;
  drop: () => Promise<void>;
}

let requests = 0;
let clients = 0;

/** An address that no other client of this run has. */
const newClient = () => `127.1.${(++clients >> 8) & 255}.${clients & 255}`;

/** What a client measures that has a thread of its own: the stranger's replies do not delay it. */
function lightReads({ port }: MeasuredServer, duration: number): Promise<LightReads> {
  const workerData: LightReadsOptions = { port, duration, client: newClient(), first: requests };
  requests += Math.ceil((LIGHT_RATE * duration) / 1000);
  return new Promise((done, failed) => {
    new Worker(new URL('./light-reads.js', import.meta.url), { workerData })
      .once('message', done)
      .once('error', failed);
  });
}

/** The addresses of the API description that anybody may read, and the pages. */
async function addresses(port: number): Promise<Dearest[]> {
  const client = newClient();
  const json = (path: string) =>
    new Promise<Record<string, unknown>>((done, failed) => {
      request({ host: '127.0.0.1', port, path, localAddress: client }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => done(JSON.parse(text) as Record<string, unknown>));
      })
        .on('error', failed)
        .end();
    });
  const { results } = (await json('/api/v1/PriceSerie/?page_size=500')) as { results: { uuid: string }[] };
  const uuids = results.map(({ uuid }) => uuid);
  const prices = (await json(`/api/v1/PriceSeriePrice/${uuids[0]}/?format=json`)) as {
    datapoints: { id: number }[];
  };
  const point = String(prices.datapoints?.[0]?.id ?? 1);
  const { paths } = (await json('/openapi.json')) as {
    paths: Record<string, { get?: { security?: unknown[]; parameters?: { name: string }[] } }>;
  };
  const day = (n: number) => new Date(Date.UTC(1900, 0, 1 + (n % 20_000))).toISOString().slice(0, 10);
  const share = (n: number) => (0.1 + (n % 800) / 1000).toFixed(3);
  const pair = uuids.slice(0, 2).join();
  const base = '/api/v1';
  /** The largest page is the dearest form of all others. */
  const forms: Record<string, (n: number) => string> = {
    '/Changes': (n) => `?points=true&limit=10000&_=${n}`,
    '/PriceCompare': (n) => `?uuids=${pair}&_=${n}`,
    '/PriceSeriePrice/differences': (n) => `?from=2020-01-01&_=${n}`,
    '/PriceSeriePrice/{uuid}/differences': (n) => `?from=2020-01-01&_=${n}`,
    '/PriceSerieIndicator': (n) => `?page_size=10000&gamma=${share(n)}`,
    '/PriceSerieIndicator/{uuid}': (n) => `?gamma=${share(n)}`,
    '/PriceAggregate': (n) => `?page_size=10000&start_date=${day(n)}`,
    '/PriceTable': (n) => `?uuid__in=${uuids.join()}&start_date=${day(n)}`,
    '/PriceWarning': (n) => `?page_size=10000&start_date=${day(n)}`,
    '/PriceSerieFacet': (n) => `?search=c&data_from=${day(n)}`,
    '/PriceChange': (n) => `?by=country,commodity&page_size=10000&_=${n}`,
    '/PriceSeason': (n) => `?by=country,commodity&page_size=10000&_=${n}`,
    '/Suggest': (n) => `?q=c&limit=20&_=${n}`,
  };
  const found: Dearest[] = [];
  for (const [template, { get: operation }] of Object.entries(paths)) {
    if (operation === undefined || (operation.security ?? []).length > 0) continue;
    if (!template.startsWith(base)) continue;
    const name = template.slice(base.length).replace(/\/$/, '');
    const parameters = (operation.parameters ?? []).map((parameter) => parameter.name);
    const filled = template
      .replace('{uuid}', uuids[0]!)
      .replace(/\{(id|number)\}/, name.startsWith('/PriceSeriePrice') ? point : '1')
      .replace(/\/?$/, '/');
    const query =
      forms[name] ??
      ((n: number) => (parameters.includes('page_size') ? `?page_size=10000&_=${n}` : `?_=${n}`));
    found.push({ name: name || '/', path: (n) => filled + query(n) });
  }
  const price = `${base}/PriceSeriePrice/`;
  for (const format of ['csv', 'ndjson', 'xlsx', 'parquet'])
    found.push({
      name: `/PriceSeriePrice, ${format}`,
      // A workbook has no room for more.
      path: (n) => `${price}?format=${format}&start_date=${day(n)}${format === 'xlsx' ? '&latest=1' : ''}`,
    });
  for (const format of ['csv', 'xlsx', 'parquet'])
    found.push({
      name: `/PriceSerieIndicator, ${format}`,
      path: (n) => `${base}/PriceSerieIndicator/?format=${format}&gamma=${share(n)}`,
    });
  found.push({
    name: '/PriceTable, xlsx',
    path: (n) => `${base}/PriceTable/?format=xlsx&uuid__in=${uuids.join()}&start_date=${day(n)}`,
  });
  found.push({ name: '/FxRate, xlsx', path: (n) => `${base}/FxRate/?format=xlsx&_=${n}` });
  found.push({
    name: '/Changes, events',
    path: (n) => `${base}/Changes/?points=true&limit=10000&_=${n}`,
    headers: { Accept: 'text/event-stream' },
  });
  const pages: Record<string, string> = {
    'start page': '/?',
    'page of all series': '/browse?',
    'page of all commodities': '/commodities?',
    'page of a country': `/countries/${SMALL_COUNTRY}?`,
    'page of a commodity': '/commodities/1?',
    'page of a commodity in a country': `/countries/${SMALL_COUNTRY}/commodities/1?`,
    'page of a market': '/markets/1?',
    'page of a series': `/series/${uuids[0]}?`,
    'page of a comparison': `/compare?uuids=${pair}&`,
    'page of warnings': '/warnings?',
    'map, PNG': '/map.png?',
    'picture of a series, PNG': `/series/${uuids[0]}.png?`,
    'picture of a comparison, PNG': `/compare.png?uuids=${pair}&`,
    'picture of a country, PNG': `/countries/${SMALL_COUNTRY}.png?`,
  };
  for (const [name, path] of Object.entries(pages)) found.push({ name, path: (n) => `${path}_=${n}` });
  return found.filter(({ name }) => new RegExp(values.only, 'i').test(name));
}

async function startRelease(dist: string): Promise<Release> {
  const { createDatabase, fillDatabase } = (await import(
    join(dist, 'bench/databases.js')
  )) as typeof Databases;
  const { startService } = (await import(join(dist, 'bench/servers.js'))) as typeof Servers;
  const database = await createDatabase('SQLite');
  await fillDatabase(database, SIZES.S);
  const server = await startService(database.url, false, { THROTTLE_READS: '6000' });
  // As in production: its threads use the other core.
  spawnSync('taskset', ['-a', '-p', '-c', `0-${cpus().length - 1}`, String(server.child.pid)]);
  return { server, drop: () => server.stop().then(() => database.drop()) };
}

interface Measured {
  cpuMs: number;
  units: number;
  bytes: number;
  status: number;
  idle: number;
  beside: number;
  lost: number;
}

async function measure({ server }: Release, { path, headers }: Dearest): Promise<Measured> {
  const { port } = server;
  const costs: Outcome[] = [];
  const processor: number[] = [];
  const alone = newClient();
  const left: number[] = [(await get(port, alone, '/api/v1/PriceType/')).units];
  for (let one = 0; one < COST_REQUESTS; one++) {
    const before = server.cpu();
    costs.push(await get(port, alone, path(++requests), headers));
    processor.push((server.cpu() - before) / 1000);
    left.push((await get(port, alone, '/api/v1/PriceType/')).units + 1);
  }
  const spent = left.slice(1).map((now, at) => left[at]! - now);
  const middle = (numbers: number[]) => numbers.sort((one, other) => one - other)[1]!;
  const idle = await lightReads(server, IDLE_MS);

  const stranger = newClient();
  let going = true;
  const connection = async () => {
    while (going) {
      const { status } = await get(port, stranger, path(++requests), headers);
      if (status !== 200) await sleep(REJECTED_PAUSE);
    }
  };
  const connections = Array.from({ length: CONNECTIONS }, connection);
  await sleep(200);
  const beside = await lightReads(server, DURATION);
  going = false;
  await Promise.race([Promise.all(connections), sleep(30_000)]);
  return {
    cpuMs: middle(processor),
    units: middle(spent),
    bytes: middle(costs.map(({ bytes }) => bytes)),
    status: costs[0]!.status,
    idle: idle.p95,
    beside: beside.p95,
    lost: beside.lost,
  };
}

const number = (value: number) =>
  Number.isNaN(value) ? '-' : value.toLocaleString('en', { maximumSignificantDigits: value < 100 ? 2 : 3 });

const isFair = ({ idle, beside, lost }: Measured) =>
  lost === 0 && beside <= Math.max(MAX_P95, MAX_RATIO * idle);

const releases: Release[] = [];
if (values.before !== undefined) releases.push(await startRelease(resolve(values.before)));
releases.push(await startRelease(join(import.meta.dirname, '..')));
const rows: string[] = [];
let unfair = 0;
for (const dearest of await addresses(releases.at(-1)!.server.port)) {
  const cells: string[] = [];
  for (const release of releases) {
    const found = await measure(release, dearest);
    const { cpuMs, units, bytes, idle, beside, lost, status } = found;
    const fair = isFair(found);
    if (!fair && release === releases.at(-1)) unfair++;
    const answered = status === 200 ? `${number(bytes / 1000)}` : `status ${status}`;
    cells.push(
      number(cpuMs),
      answered,
      number(units),
      `${number(idle)} → ${number(beside)}${lost > 0 ? `, ${lost} lost` : ''}${fair ? '' : ' **!**'}`,
    );
  }
  rows.push(`| ${dearest.name} | ${cells.join(' | ')} |`);
  console.log(rows.at(-1));
}
for (const { drop } of releases) await drop();
closeConnections();
const heads = releases.map(() => 'ms | KB | units | light p95').join(' | ');
const rules = releases.map(() => '--:|--:|--:|---').join('|');
if (values.table !== undefined)
  writeFileSync(values.table, `| address | ${heads} |\n|---|${rules}|\n${rows.join('\n')}\n`);
console.log(`${unfair} addresses are unfair to others.`);
process.exit(unfair > 0 ? 1 : 0);
