import { createConnection } from 'mysql2/promise';
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Environment } from '../src/config/environment.js';
import { Database } from '../src/database/database.js';
import { DataRevision } from '../src/ledger/revision/data-revision.js';
import { UnitOfWork } from '../src/ledger/unit-of-work.js';
import { entities } from '../src/entities.js';
import { SeriesCatalogue } from '../src/price-series/catalogue/catalogue.js';
import { anyOf, countryCode, idOf } from '../src/price-series/filters/conditions.js';
import { Criteria } from '../src/price-series/filters/criteria.js';
import { entryJson } from '../src/price-series/price-serie.view.js';
import { selectSeries } from '../src/price-series/catalogue/selection.js';
import { BENCH_CHANGE, countryOf, type DataSize } from './data.js';
import { percentile, runLoad, type LoadRequest } from './load.js';
import {
  dropDatabases,
  engines,
  fillDatabase,
  createDatabase,
  type Engine,
  type BenchDatabase,
} from './databases.js';
import { cpuTime, freePort, SERVER_OPTIONS } from './processes.js';
import { RandomRequests, listPage } from './scenarios.js';
import { httpGet } from './servers.js';

/*
 *   npm run bench:scaling [-- --quick] [--only catalogue,storage,workers]
 *
 * Measures what plans for larger data depend on: the catalogue in memory by the number of series,
 * the bytes of a stored price, and the cost of a request with one worker and with two. Runs on
 * SQLite, and on MariaDB if TEST_DATABASE_URL names a server.
 */

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: 'catalogue,storage,workers' },
  },
});
const { quick } = options;
setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;
const show = (title: string, metrics: Record<string, number | string>) =>
  console.log(
    `${title.padEnd(44)} ${Object.entries(metrics)
      .map((pair) => pair.join(' '))
      .join(' · ')}`,
  );
const round = (value: number, digits = 0) => Number(value.toFixed(digits));

/** Megabytes of objects and arrays in this process. */
function memory(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

/** Measures the memory and the times of a catalogue of a number of series. */
async function measureCatalogue(series: number): Promise<void> {
  const benchDatabase = await createDatabase('SQLite');
  const filled = await fillDatabase(benchDatabase, { name: '', series, points: series });
  const database = new Database(new Environment({ DATABASE_URL: benchDatabase.url }), entities);
  await database.connect();
  const revision = new DataRevision(database);
  const unitOfWork = new UnitOfWork(database, revision);
  const catalogue = new SeriesCatalogue(database, revision);
  const timed = async (work: () => unknown) => {
    await revision.refresh();
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const before = memory();
  const load = await timed(() => catalogue.current());
  const megabytes = memory() - before;
  await unitOfWork.change(BENCH_CHANGE, async (transaction) => transaction.markSeriesModified([1]));
  const afterOne = await timed(() => catalogue.current());
  await unitOfWork.change(BENCH_CHANGE, async (transaction) => {
    await transaction.execute("UPDATE market SET name = 'Renamed', version = version + 1 WHERE id = 7");
    transaction.markModified('references');
  });
  const afterMarket = await timed(() => catalogue.current());
  const snapshot = await catalogue.current();
  const pages: number[] = [];
  for (let number = 0; number < 50; number++) {
    const began = performance.now();
    const criteria = Criteria.none
      .and('countries', [countryOf(number % 40), countryOf(50)], anyOf(countryCode))
      .and(
        'commodities',
        [1, 2, 3, 4, 5].map((id) => id * (number + 1)),
        anyOf(idOf('commodity')),
      );
    for (const row of selectSeries(snapshot, criteria).slice(0, 100)) entryJson(snapshot, row);
    pages.push(performance.now() - began);
  }
  pages.sort((one, other) => one - other);
  show(`catalogue of ${series} series`, {
    'memory MB': round(megabytes),
    'bytes a series': round((megabytes * 2 ** 20) / series),
    'first load CPU s': round(load / 1000, 2),
    'refresh after 1 series ms': round(afterOne),
    'after a market ms': round(afterMarket),
    'filtered page ms': round(percentile(pages, 0.5), 2),
    'filled in s': round(filled),
  });
  await database.close();
  await benchDatabase.drop();
}

/** Measures the size of a stored price on disk. */
async function measureStorage(engine: Engine, size: DataSize): Promise<void> {
  const benchDatabase = await createDatabase(engine);
  const filled = await fillDatabase(benchDatabase, size);
  const bytes =
    engine === 'SQLite'
      ? statSync(benchDatabase.url.slice('sqlite:'.length)).size
      : await tableBytes(benchDatabase);
  show(`${engine}, ${size.points} prices`, {
    'bytes a price': round(bytes / size.points, 1),
    MB: round(bytes / 2 ** 20),
    'prices stored a second': round(size.points / filled),
  });
  await benchDatabase.drop();
}

async function tableBytes(benchDatabase: BenchDatabase): Promise<number> {
  const connection = await createConnection(benchDatabase.url.replace(/^mariadb:/, 'mysql:'));
  try {
    await connection.query('ANALYZE TABLE observation');
    const [rows] = await connection.query(
      "SELECT data_length + index_length AS bytes FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'observation'",
    );
    return Number((rows as { bytes: number }[])[0]!.bytes);
  } finally {
    await connection.end();
  }
}

/** The built service with workers; the supervisor's processor time is included. */
class Workers {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(benchDatabase: BenchDatabase, workers: number): Promise<Workers> {
    const port = await freePort();
    const child = fork(join(import.meta.dirname, '../src/main.js'), {
      execArgv: [...SERVER_OPTIONS],
      env: {
        PATH: process.env.PATH ?? '',
        PORT: String(port),
        MANAGEMENT_PORT: '0',
        WORKERS: String(workers),
        DATABASE_URL: benchDatabase.url,
        LOG_LEVEL: 'warn',
        SAMPLE_DATA: 'off',
        JWT_SECRET: 'kR7-benchmark_only_0Zq4xV9mB2nW8sD',
        ADMIN_PASSWORD: PASSWORD,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const started = new Workers(child, port);
    for (let tries = 0; ; tries++) {
      const ready = (await httpGet(port, '/health/ready').catch(() => null))?.status === 200;
      if (ready && started.processes().length === (workers === 1 ? 1 : workers + 1)) break;
      if (tries > 300) throw new Error('The service did not become ready.');
      await pause(100);
    }
    await pause(1500);
    return started;
  }

  /** Microseconds of processor time so far. */
  cpu(): number {
    return this.processes().reduce((sum, pid) => sum + cpuTime(pid), 0);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }

  private processes(): number[] {
    const children = readdirSync('/proc').filter((name) => {
      try {
        return (
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(this.child.pid)
        );
      } catch {
        return false;
      }
    });
    return [this.child.pid!, ...children.map(Number)];
  }
}

const PASSWORD = 'copper kettle mountain 42';
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function measureWorkers(engine: Engine, size: DataSize): Promise<void> {
  const benchDatabase = await createDatabase(engine);
  await fillDatabase(benchDatabase, size);
  const duration = quick ? 1500 : 5000;
  for (const workers of [1, 2]) {
    const service = await Workers.start(benchDatabase, workers);
    const random = new RandomRequests(size);
    const { headers } = await httpGet(service.port, listPage);
    const reads: [string, () => LoadRequest][] = [
      ['repeated list', () => ({ path: listPage })],
      ['304', () => ({ path: listPage, headers: { 'If-None-Match': headers.etag! } })],
      ['list, random filters', () => random.filters()],
      ['prices of a random series', () => random.onePrice()],
    ];
    for (const [name, next] of reads) {
      await runLoad({ port: service.port, next, connections: 16, duration: duration / 3 });
      const before = service.cpu();
      const load = await runLoad({ port: service.port, next, connections: 16, duration });
      show(`${engine}, ${workers} worker(s), ${name}`, {
        'CPU µs a request': round((service.cpu() - before) / load.requests),
        'requests a second': round(load.perSecond),
        'p99 ms': round(load.p99, 1),
        unexpected: Object.values(load.unexpected).reduce((sum, count) => sum + count, 0),
      });
    }
    show(`${engine}, ${workers} worker(s), PATCH`, await measureWrites(service.port));
    await service.stop();
  }
  await benchDatabase.drop();
}

/**
 * Measures the time of sequential writes, and the throughput of eight concurrent writers with a
 * record each.
 */
async function measureWrites(port: number): Promise<Record<string, number>> {
  const base = `http://127.0.0.1:${port}`;
  const type = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  const login = await fetch(`${base}/api/auth/login/`, { method: 'POST', headers: type, body });
  const headers = {
    ...type,
    Authorization: `Bearer ${((await login.json()) as { access: string }).access}`,
  };
  let count = 0;
  const write = async (id: number) => {
    const began = performance.now();
    const patch = { method: 'PATCH', headers, body: JSON.stringify({ category: `Written ${++count}` }) };
    const { status } = await fetch(`${base}/api/v1/Commodity/${id}/`, patch);
    if (status !== 200) throw new Error(`A write returned ${status}.`);
    return performance.now() - began;
  };
  const times: number[] = [];
  for (let number = 0; number < (quick ? 50 : 300); number++) times.push(await write(1));
  times.sort((one, other) => one - other);
  const began = performance.now();
  const end = began + (quick ? 1500 : 5000);
  const before = count;
  await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      while (performance.now() < end) await write(index + 1);
    }),
  );
  return {
    'median ms': round(percentile(times, 0.5), 1),
    'p99 ms': round(percentile(times, 0.99), 1),
    'by 8 writers a second': round(((count - before) * 1000) / (performance.now() - began)),
  };
}

const selected = new Set(options.only.split(','));
try {
  if (selected.has('catalogue'))
    for (const series of quick ? [20_000] : [100_000, 1_000_000]) await measureCatalogue(series);
  for (const engine of engines) {
    if (selected.has('storage')) {
      const points = quick ? 300_000 : 3_000_000;
      await measureStorage(engine, { name: '', series: 3000, points });
    }
    if (selected.has('workers'))
      await measureWorkers(engine, { name: '', series: 20_000, points: quick ? 200_000 : 1_000_000 });
  }
} finally {
  await dropDatabases();
}
process.exit(0);
