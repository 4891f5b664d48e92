import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Environment } from '../src/config/environment.js';
import { DataRevision } from '../src/ledger/revision/data-revision.js';
import { Database } from '../src/database/database.js';
import { UnitOfWork } from '../src/ledger/unit-of-work.js';
import { entities } from '../src/entities.js';
import { countryOf, insertData, seeded, SIZES } from './data.js';
import { runLoad } from './load.js';
import { start } from './processes.js';

/*
 *   npm run soak [-- --minutes 30] [--readers 50]
 *
 * Sends 100 list requests and 5 writes per second to the built server on SQLite, for half an hour,
 * while `--readers` clients read all prices over and over. Prints memory and open files every
 * minute. Exits with 1 if memory grows by more than a tenth after the fifth minute or exceeds the
 * bound of rule R1, if lists take too long, or if a response is wrong. Readers of all prices may
 * get 503.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    readers: { type: 'string', default: '0' },
  },
});
const minutes = Number(values.minutes);
const readers = Number(values.readers);
const MAX_P99_MS = 150;
const MAX_MEMORY_MB = 350;
/** Minutes after which memory may no longer grow. */
const WARM_UP_MINUTES = Math.min(5, Math.floor(minutes / 2));
const ADMIN = { username: 'admin', password: 'soak-Zebra.47-lantern' };

const folder = mkdtempSync(join(tmpdir(), 'pds-soak-'));
const url = `sqlite:${join(folder, 'prices.sqlite')}`;
const database = new Database(new Environment({ DATABASE_URL: url }), entities);
await database.connect();
await insertData(new UnitOfWork(database, new DataRevision(database)), SIZES.S);
await database.close();

const agent = new Agent({ keepAlive: true, maxSockets: 2 });
const send = (port: number, method: string, path: string, body: unknown, token = '') =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = {
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
    };
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.on('error', reject);
    sent.end(body === null ? undefined : JSON.stringify(body));
  });

const server = await start(
  join(new URL('.', import.meta.url).pathname, '../src/main.js'),
  () => [],
  (port) => ({
    PORT: String(port),
    MANAGEMENT_PORT: '0',
    DATABASE_URL: url,
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'warn',
    SAMPLE_DATA: 'off',
  }),
  async (port) => {
    for (let tries = 0; ; tries++) {
      const ready = await send(port, 'GET', '/health/ready', null).catch(() => null);
      if (ready?.status === 200) return;
      if (tries > 300) throw new Error('The server did not become ready.');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  },
);

const { port } = server;
let errors = 0;
const reportError = (error: unknown) => {
  errors++;
  console.log(`error: ${String(error)}`);
};
let token = '';
const signIn = async () => {
  const { status, text } = await send(port, 'POST', '/api/auth/login/', ADMIN);
  if (status !== 200) throw new Error(`The login returned ${status}.`);
  token = (JSON.parse(text) as { access: string }).access;
};
await signIn();
const signInAgain = setInterval(() => void signIn().catch(reportError), 10 * 60_000);

let writes = 0;
const write = async () => {
  const id = 1 + (writes % 20);
  const { status, text } = await send(
    port,
    'PATCH',
    `/api/v1/Source/${id}/`,
    { source_license: `Change ${++writes}` },
    token,
  );
  if (status !== 200) reportError(`a write returned ${status}: ${text}`);
};
let lastWrite = Promise.resolve();
const writing = setInterval(() => {
  lastWrite = write().catch(reportError);
}, 200);

const next = seeded(11);
const randomBelow = (limit: number) => Math.floor(next() * limit);
const load = runLoad({
  port,
  connections: 8,
  duration: minutes * 60_000,
  rate: 100,
  next: () => ({
    path: `/api/v1/PriceSerie/?iso3_country_codes=${countryOf(randomBelow(60))},${countryOf(randomBelow(60))}`,
  }),
});

let reads = 0;
const reading = runLoad({
  port,
  connections: readers,
  duration: minutes * 60_000,
  expected: [200, 503],
  retryAfter: 1000,
  next: () => ({ path: `/api/v1/PriceSeriePrice/?format=csv&_=${reads++}` }),
});

const openFiles = () => {
  try {
    return readdirSync(`/proc/${server.child.pid}/fd`).length;
  } catch {
    return NaN;
  }
};
const memory: number[] = [];
const began = performance.now();
const sampling = setInterval(() => {
  memory.push(server.memory());
  const minute = Math.round((performance.now() - began) / 60_000);
  console.log(
    `minute ${minute}: ${memory.at(-1)!.toFixed(0)} MB, ${openFiles()} open files, ${writes} writes, ${errors} errors`,
  );
}, 60_000);

const [result, longReads] = await Promise.all([load, reading]);
for (const timer of [signInAgain, writing, sampling]) clearInterval(timer);
await lastWrite;
agent.destroy();
await server.stop();
rmSync(folder, { recursive: true, force: true });

const warmedUp = memory[WARM_UP_MINUTES - 1] ?? NaN;
const growth = (Math.max(...memory.slice(WARM_UP_MINUTES)) / warmedUp - 1) * 100;
console.log(
  `${result.requests} list requests at ${result.perSecond.toFixed(0)}/s, p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, ` +
    `${writes} writes, ${errors} errors, unexpected ${JSON.stringify(result.unexpected)}`,
);
if (readers > 0) {
  const gigabytes = (longReads.bytes / 1e9).toFixed(1);
  console.log(
    `${longReads.requests} reads of all prices by ${readers} readers, ${gigabytes} GB, ` +
      `unexpected ${JSON.stringify(longReads.unexpected)}`,
  );
}
console.log(
  `memory after minute ${WARM_UP_MINUTES}: ${warmedUp.toFixed(0)} MB; peak after that ${growth.toFixed(1)} % higher`,
);
const failures = [
  growth > 10 && 'Memory grew.',
  Math.max(...memory) > MAX_MEMORY_MB && `The service used more than ${MAX_MEMORY_MB} MB.`,
  result.p99 > MAX_P99_MS && `The p99 of lists was above ${MAX_P99_MS} ms.`,
  errors > 0 && 'There were errors.',
  Object.keys({ ...result.unexpected, ...longReads.unexpected }).length > 0 && 'Statuses were unexpected.',
].filter((failure) => failure !== false);
for (const failure of failures) console.log(failure);
process.exit(failures.length > 0 ? 1 : 0);
