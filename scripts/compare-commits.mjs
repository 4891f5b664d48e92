/*
 * Compares the processor time of two commits, and what their databases take, by hand:
 *
 *   node scripts/compare-commits.mjs BASE [COMMIT] [--series 1000] [--days 200] [--pairs 5]
 *
 * Builds both in worktrees of their own (with this folder's packages), then measures them in turns
 * on SQLite: an import into an empty database, an import of which every fifth point is new, a
 * mirror of that, and reads that no cache holds, of today and of past states. Prints medians over
 * the pairs. Other load of the machine makes wall time useless; processor time grows by some
 * percent, for both sides alike.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    series: { type: 'string', default: '1000' },
    days: { type: 'string', default: '200' },
    pairs: { type: 'string', default: '5' },
  },
});
const [series, days, pairs] = [values.series, values.days, values.pairs].map(Number);
const REQUESTS = 400;
const folder = mkdtempSync(join(tmpdir(), 'compare-'));
const root = join(import.meta.dirname, '..');
const git = (...args) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();

/** A build of a commit. */
function build(name, commit) {
  const path = join(folder, name);
  git('worktree', 'add', '--detach', path, commit);
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: path, stdio: 'inherit' });
  return { name, path, commit: git('rev-parse', '--short', commit), url: '' };
}

const uuidOf = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Writes daily prices; every fifth has another value where they are `revised`. */
function writePrices(name, revised) {
  const path = join(folder, name);
  const lines = [
    'uuid,iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value',
  ];
  for (let number = 0; number < series; number++) {
    const head = `${uuidOf(number)},KEN,Commodity ${number % 40},RETAIL,Market ${number % 97} ${number},Source,KES,Kg`;
    for (let day = 0; day < days; day++) {
      const date = new Date(Date.UTC(2015, 0, 1 + day)).toISOString().slice(0, 10);
      const price = 100 + ((number * 31 + day * 7) % 50) / 4 + (revised && day % 5 === 0 ? 1 : 0);
      lines.push(`${head},${date},daily,${price}`);
    }
  }
  writeFileSync(path, lines.join('\n'));
  return path;
}

const environment = ({ url }, more = {}) => ({
  ...{ PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: url, SAMPLE_DATA: 'off' },
  ...{ ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'a comparison of commits 42', LOG_LEVEL: 'silent' },
  ...{ JWT_SECRET: 'a key of the comparison, 0123456789', ...more },
});

/** Seconds of processor time of a command, as in `npm run`. */
function runCommand(side, name, parameters) {
  const { scripts } = JSON.parse(readFileSync(join(side.path, 'package.json'), 'utf8'));
  const [script] = /dist\/\S+\.command\.js/.exec(scripts[name]);
  const command = `TIMEFORMAT='cpu %U %S'; time "${process.execPath}" --v8-pool-size=1 ${script} ${parameters}`;
  const { status, stderr } = spawnSync('bash', ['-c', command], {
    cwd: side.path,
    env: environment(side),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(stderr);
  return Number(user) + Number(system);
}

/** Bytes that a database takes without free pages. */
function bytesOf({ url }) {
  const path = url.slice('sqlite:'.length);
  const database = new Database(path);
  database.exec('VACUUM');
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return statSync(path).size;
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const send = (port, path, { method = 'GET', headers = {}, body = '' } = {}) =>
  new Promise((resolve, reject) => {
    const sent = request({ port, path, method, headers, host: '127.0.0.1' }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on('error', reject).end(body);
  });

/** Merges pairs of commodities, so that their series have versions. @returns the newest revision */
async function mergeCommodities({ port }, merges) {
  const type = { 'Content-Type': 'application/json' };
  const account = { username: 'admin', password: environment({}).ADMIN_PASSWORD };
  const login = await send(port, '/api/auth/login/', {
    ...{ method: 'POST', headers: type, body: JSON.stringify(account) },
  });
  const headers = { ...type, Authorization: `Bearer ${JSON.parse(login.text).access}` };
  for (let from = 1; from <= merges; from++) {
    const { status, text } = await send(port, `/api/v1/Commodity/${from}/merge/`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ into: from + merges }) },
    });
    if (status !== 200) throw new Error(text);
  }
  return Number((await send(port, '/api/v1/PriceSerie/?page_size=1')).headers['data-revision']);
}

/** Milliseconds of processor time of a process so far. */
const cpuOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
};

let requests = 0;
/** The newest revision of both sides. */
let newest = 0;
const PAST = 15;
const reads = {
  'list, random filters': () =>
    `/api/v1/PriceSerie/?page_size=100&commodity_ids=${1 + (requests % 40)}&newerThan=19${10 + (requests % 90)}-01-${String(1 + (requests++ % 28)).padStart(2, '0')}`,
  'prices of one series': () =>
    `/api/v1/PriceSeriePrice/${uuidOf((requests * 37) % series)}/?start_date=19${10 + (requests % 90)}-01-${String(1 + (requests++ % 28)).padStart(2, '0')}`,
};

/** Reads of past states: the catalogue of each state is read anew. */
const pastReads = {
  'list of a past state': () =>
    `/api/v1/PriceSerie/?page_size=${1 + (requests % 97)}&newerThan=19${10 + (requests % 90)}-01-01&as_of=r${newest - (requests++ % PAST)}`,
  'past prices of one series': () =>
    `/api/v1/PriceSeriePrice/${uuidOf((requests * 37) % series)}/?as_of=r${newest - PAST}&start_date=19${10 + (requests % 90)}-01-${String(1 + (requests++ % 28)).padStart(2, '0')}`,
};

async function startService(side) {
  const port = await freePort();
  const more = { PORT: String(port), MANAGEMENT_PORT: String(await freePort()) };
  const child = spawn(process.execPath, ['--no-memory-reducer', 'dist/src/main.js'], {
    ...{ cwd: side.path, env: environment(side, more), stdio: 'ignore' },
  });
  for (let tries = 0; ; tries++) {
    const { status } = await send(port, '/health/ready').catch(() => ({ status: 0 }));
    if (status === 200) return { port, child };
    if (tries > 600) throw new Error(`${side.commit} has not started.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Microseconds of processor time of a request. */
async function measureReads({ port, child }, path, count) {
  const before = cpuOf(child.pid);
  for (let left = count; left > 0; left--) {
    const { status } = await send(port, path());
    if (status !== 200) throw new Error(`${path()} has status ${status}.`);
  }
  return (1000 * (cpuOf(child.pid) - before)) / count;
}

const median = (numbers) => numbers.sort((one, other) => one - other)[numbers.length >> 1];
const sides = [];
const results = new Map();
const record = (name, side, value) => {
  const row = results.get(name) ?? new Map();
  results.set(name, row.set(side.name, [...(row.get(side.name) ?? []), value]));
};

try {
  sides.push(build('base', positionals[0]), build('commit', positionals[1] ?? 'HEAD'));
  const first = writePrices('first.csv', false);
  const second = writePrices('second.csv', true);
  for (let pair = 0; pair < pairs; pair++)
    for (const side of pair % 2 === 0 ? sides : [...sides].reverse()) {
      side.url = `sqlite:${join(folder, `${side.name}-${pair}.sqlite`)}`;
      record('import, s', side, runCommand(side, 'import', `prices "${first}"`));
      if (pair === 0) record('bytes of a point', side, bytesOf(side) / (series * days));
      record('import with a fifth revised, s', side, runCommand(side, 'import', `prices "${second}"`));
      if (pair === 0) record('bytes of a point, a fifth revised', side, bytesOf(side) / (series * days));
    }
  const services = new Map();
  for (const side of sides) services.set(side, await startService(side));
  const compareReads = async (compared, count) => {
    for (const path of Object.values(compared))
      for (const side of sides) await measureReads(services.get(side), path, count);
    for (let pair = 0; pair < 2 * pairs; pair++)
      for (const [name, path] of Object.entries(compared))
        for (const side of pair % 2 === 0 ? sides : [...sides].reverse())
          record(`${name}, µs`, side, await measureReads(services.get(side), path, count));
  };
  await compareReads(reads, REQUESTS);
  for (const side of sides) newest = await mergeCommodities(services.get(side), PAST + 1);
  await compareReads(pastReads, REQUESTS);
  for (let pair = 0; pair < pairs; pair++)
    for (const side of pair % 2 === 0 ? sides : [...sides].reverse()) {
      const copy = { ...side, url: `sqlite:${join(folder, `${side.name}-mirror-${pair}.sqlite`)}` };
      const { port } = services.get(side);
      record('mirror, s', side, runCommand(copy, 'mirror', `http://127.0.0.1:${port} --once`));
    }
  for (const { child } of services.values()) child.kill('SIGTERM');
  console.log(
    `| ${series * days} points | ${sides.map(({ commit }) => commit).join(' | ')} | ratio |\n|---|---|---|---|`,
  );
  for (const [name, row] of results) {
    const [base, commit] = sides.map((side) => row.get(side.name));
    const ratio = median(commit.map((value, index) => value / base[index]));
    const shown = [base, commit].map((numbers) => median(numbers).toPrecision(4));
    console.log(`| ${name} | ${shown.join(' | ')} | ${ratio.toFixed(2)} |`);
  }
} finally {
  for (const { path } of sides) git('worktree', 'remove', '--force', path);
  if (existsSync(folder)) rmSync(folder, { recursive: true });
}
