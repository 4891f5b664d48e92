import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { Environment } from '../src/config/environment.js';
import { Database } from '../src/database/database.js';
import { DataRevision } from '../src/database/data-revision.js';
import { UnitOfWork } from '../src/database/unit-of-work.js';
import { entities } from '../src/entities.js';
import { SIZES, makeData, type DataSize } from './data.js';
import { percentile, runLoad, type LoadResult } from './load.js';
import { pinLoad, pinned, start, type Measured } from './processes.js';
import { scenariosOf, type Scenario } from './scenarios.js';

/*
 *   npm run bench [-- --quick] [--json FILE] [--sizes S,L] [--only TEXT]
 *
 * Times the built server side by side with floors, in interleaved rounds; what is printed are medians over the rounds. The
 * servers run on one core, the load generator on another. SQLite always; MariaDB where TEST_DATABASE_URL names a server.
 */

interface Row {
  engine: string;
  size: string;
  scenario: string;
  perSecond: number;
  p50: number;
  p99: number;
  cpu: number;
  floor: string;
  floorPerSecond: number;
  floorCpu: number;
  ratio: number;
  cpuRatio: number;
  goal: number | null;
  unexpected: Record<string, number>;
}

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    sizes: { type: 'string' },
    only: { type: 'string' },
  },
});
const rounds = options.quick ? 3 : 5;
const duration = options.quick ? 1000 : 2000;
const sizes = (options.sizes ?? (options.quick ? 'S' : 'S,L'))
  .split(',')
  .map((name) => SIZES[name as 'S' | 'L']);
const here = new URL('.', import.meta.url).pathname;
const server = join(here, '../src/main.js');

interface Place {
  engine: string;
  url: string;
  drop: () => Promise<void>;
}

async function places(): Promise<Place[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pds-bench-'));
  const found: Place[] = [
    {
      engine: 'SQLite',
      url: `sqlite:${join(folder, 'prices.sqlite')}`,
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    },
  ];
  const onServer = process.env.TEST_DATABASE_URL?.replace(/\/$/, '');
  if (onServer === undefined) {
    console.log('MariaDB is left out: TEST_DATABASE_URL names no server.');
    return found;
  }
  const name = `pds_test_bench_${process.pid}`;
  const run = async (sql: string) => {
    const connection = await createConnection(onServer.replace(/^mariadb:/, 'mysql:'));
    await connection.query(sql);
    await connection.end();
  };
  await run(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  return [
    ...found,
    { engine: 'MariaDB', url: `${onServer}/${name}`, drop: () => run(`DROP DATABASE ${name}`) },
  ];
}

async function fill(url: string, size: DataSize): Promise<void> {
  const database = new Database(new Environment({ DATABASE_URL: url }), entities);
  await database.connect();
  await database.migrate();
  const began = performance.now();
  await makeData(new UnitOfWork(database, new DataRevision(database)), size);
  const seconds = (performance.now() - began) / 1000;
  console.log(`  ${size.series} series, ${size.points} points in ${seconds.toFixed(0)} s`);
  await database.close();
}

const serverSettings =
  (url: string, more: Record<string, string> = {}) =>
  (port: number) => ({
    NODE_ENV: 'production',
    PORT: String(port),
    DATABASE_URL: url,
    JWT_SECRET: 'kR7-benchmark_only_0Zq4xV9mB2nW8sD',
    THROTTLE_READS: '0',
    LOG_LEVEL: 'warn',
    SAMPLE_DATA: 'off',
    ...more,
  });

const startServer = (url: string, more?: Record<string, string>) =>
  start(
    server,
    () => [],
    serverSettings(url, more),
    async (port) => {
      for (let tries = 0; ; tries++) {
        const answer = await ask(port, '/health/ready').catch(() => null);
        if (answer?.status === 200) break;
        if (tries > 300) throw new Error('The server did not become ready.');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await ask(port, '/api/v1/PriceSerie/?page_size=1');
    },
  );

const startFloor = (url: string) =>
  start(
    join(here, 'floor.js'),
    (port) => [String(port), url],
    () => ({}),
    (_, child) => new Promise((resolve) => child.once('message', () => resolve())),
  );

interface Asked {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
}

function ask(port: number, path: string, headers: Record<string, string> = {}): Promise<Asked> {
  return new Promise((resolve, reject) => {
    get({ port, path, headers, host: '127.0.0.1', agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          body: Buffer.concat(parts),
        }),
      );
    }).on('error', reject);
  });
}

/** Gives the floor the answer it has to send, and asks once whether it does. */
async function teach(floor: Measured, name: string, answer: Asked): Promise<string> {
  const headers: string[] = [];
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    // Node adds these by itself, to both servers.
    if (/^(date|connection|keep-alive)$/i.test(answer.rawHeaders[at]!)) continue;
    headers.push(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!);
  }
  const taken = new Promise((resolve) => floor.child.once('message', resolve));
  floor.child.send({ name, status: answer.status, headers, body: answer.body.toString('base64') });
  await taken;
  const path = `/fixed/${name}`;
  const sent = await ask(floor.port, path);
  if (sent.status !== 200 || !sent.body.equals(answer.body))
    throw new Error(`The floor does not send ${name}.`);
  return path;
}

/** Checks that an answer of the service is the one that hand-written code gives. */
async function agree(service: Measured, floor: Measured, path: string): Promise<void> {
  const [ours, theirs] = await Promise.all([ask(service.port, path), ask(floor.port, path)]);
  const text = ours.body.toString().replaceAll(`127.0.0.1:${service.port}`, `127.0.0.1:${floor.port}`);
  const wanted = theirs.body.toString();
  if (ours.status === 200 && text === wanted) return;
  let at = 0;
  while (at < text.length && text[at] === wanted[at]) at++;
  const around = (body: string) => body.slice(Math.max(0, at - 80), at + 80);
  throw new Error(
    `${path.slice(0, 200)}: the service (${ours.status}) and the floor differ at ${at}:\n${around(text)}\n${around(wanted)}`,
  );
}

interface Measurement extends LoadResult {
  cpuPerRequest: number;
}

async function measure(target: Measured, next: Scenario['next'], connections: number): Promise<Measurement> {
  const before = target.cpu();
  const result = await runLoad({ port: target.port, next, connections, duration });
  return { ...result, cpuPerRequest: (target.cpu() - before) / result.requests };
}

const median = (values: number[]) =>
  percentile(
    [...values].sort((one, other) => one - other),
    0.5,
  );

async function run(
  scenario: Scenario,
  service: Measured,
  floor: Measured,
): Promise<Omit<Row, 'engine' | 'size'>> {
  let floorNext = scenario.next;
  if (scenario.floor === 'A') {
    const { path } = scenario.next();
    const answer = await ask(service.port, path);
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}.`);
    const fixed = await teach(floor, scenario.name.replaceAll(/\W+/g, '-'), answer);
    floorNext = () => ({ path: fixed });
  } else if (scenario.floor === 'B') {
    for (let each = 0; each < 3; each++) await agree(service, floor, scenario.next().path);
  }
  const ours: Measurement[] = [];
  const theirs: Measurement[] = [];
  await runLoad({
    port: service.port,
    next: scenario.next,
    connections: scenario.connections,
    duration: duration / 2,
  });
  for (let round = 0; round < rounds; round++) {
    ours.push(await measure(service, scenario.next, scenario.connections));
    if (scenario.floor !== 'none') theirs.push(await measure(floor, floorNext, scenario.connections));
  }
  const unexpected: Record<string, number> = {};
  for (const round of [...ours, ...theirs]) {
    for (const [status, count] of Object.entries(round.unexpected))
      unexpected[status] = (unexpected[status] ?? 0) + count;
  }
  return {
    scenario: scenario.name,
    perSecond: median(ours.map((round) => round.perSecond)),
    p50: median(ours.map((round) => round.p50)),
    p99: median(ours.map((round) => round.p99)),
    cpu: median(ours.map((round) => round.cpuPerRequest)),
    floor: scenario.floor,
    floorPerSecond: median(theirs.map((round) => round.perSecond)),
    floorCpu: median(theirs.map((round) => round.cpuPerRequest)),
    ratio: median(ours.map((round, index) => round.perSecond / (theirs[index]?.perSecond ?? NaN))),
    cpuRatio: median(ours.map((round, index) => (theirs[index]?.cpuPerRequest ?? NaN) / round.cpuPerRequest)),
    goal: scenario.goal,
    unexpected,
  };
}

const cell = (value: number, digits = 2) => (Number.isNaN(value) ? '-' : value.toFixed(digits));

function print(row: Row): void {
  const reached =
    row.goal === null ? '' : Math.max(row.ratio, row.cpuRatio) >= row.goal ? 'reached' : 'NOT reached';
  console.log(
    [
      row.engine.padEnd(8),
      row.size.padEnd(2),
      row.scenario.padEnd(42),
      cell(row.perSecond, 0).padStart(7),
      cell(row.p50).padStart(8),
      cell(row.p99).padStart(8),
      cell(row.cpu, 0).padStart(8),
      row.floor.padStart(5),
      cell(row.ratio).padStart(7),
      cell(row.cpuRatio).padStart(7),
      (row.goal === null ? '' : `>= ${row.goal}`).padStart(8),
      reached,
      Object.keys(row.unexpected).length > 0 ? `unexpected: ${JSON.stringify(row.unexpected)}` : '',
    ].join(' '),
  );
}

async function main(): Promise<void> {
  pinLoad();
  if (!pinned) console.log('Server and load share their cores: taskset or a second core is missing.');
  const rows: Row[] = [];
  const extra: Record<string, unknown>[] = [];
  console.log(
    `${rounds} rounds of ${duration} ms; requests/s, p50 and p99 in ms, CPU in microseconds a request; ratios to the floor by rate and by CPU`,
  );
  for (const size of sizes) {
    for (const place of await places()) {
      try {
        console.log(`\n${place.engine}, ${size.name}`);
        await fill(place.url, size);
        const [service, floor] = await Promise.all([startServer(place.url), startFloor(place.url)]);
        const tags = new Map<string, string>();
        for (const path of ['/api/v1/PriceSerie/?page_size=50']) {
          tags.set(path, (await ask(service.port, path)).headers.etag!);
        }
        for (const scenario of scenariosOf(size, (path) => tags.get(path)!)) {
          if (options.only !== undefined && !scenario.name.includes(options.only)) continue;
          const row = { engine: place.engine, size: size.name, ...(await run(scenario, service, floor)) };
          rows.push(row);
          print(row);
        }
        extra.push({ engine: place.engine, size: size.name, what: 'memory', megabytes: service.memory() });
        console.log(`memory of the server after the load: ${service.memory().toFixed(0)} MB`);
        await Promise.all([service.stop(), floor.stop()]);
      } finally {
        await place.drop();
      }
    }
  }
  if (options.json !== undefined) {
    writeFileSync(
      options.json,
      `${JSON.stringify({ date: new Date().toISOString(), rows, extra }, null, 2)}\n`,
    );
  }
}

await main();
