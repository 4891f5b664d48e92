/*
 * Counts the files of the service in which code runs for a warm request, by V8's coverage:
 *
 *   npm run build && node scripts/request-files.mjs [DIST] [--list]
 *
 * DIST is the build folder, also one of another commit. `--list` prints the files, too. The service
 * runs in this process, with the sample on SQLite.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const source = `${pathToFileURL(join(resolve(positionals[0] ?? 'dist'), 'src')).href}/`;
/** How often each request is sent before it is measured. */
const WARM = 30;
const port = 20_000 + (process.pid % 10_000);
const base = `http://127.0.0.1:${port}/api/v1`;
const account = { username: 'admin', password: 'tundra lamp 47 orchid' };
const folder = mkdtempSync(join(tmpdir(), 'request-files-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

Object.assign(process.env, {
  DATABASE_URL: `sqlite:${join(folder, 'prices.sqlite')}`,
  HOST: '127.0.0.1',
  PORT: String(port),
  MANAGEMENT_PORT: String(port + 1),
  LOG_LEVEL: 'silent',
  SAMPLE_DATA: 'on',
  ADMIN_USERNAME: account.username,
  ADMIN_PASSWORD: account.password,
  JWT_SECRET: 'a key of the count of files, 0123456789',
});
process.once('unhandledRejection', (error) => {
  console.error(error);
  process.exit(1);
});
await import(`${source}main.js`);

async function request(path, options = {}) {
  const response = await fetch(`${base}${path}`, options);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

async function ready() {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await request('/PriceType/').catch(() => null)) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('The service has not started.');
}

await ready();
const login = await fetch(`http://127.0.0.1:${port}/api/auth/login/`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(account),
});
const { access } = await login.json();
const write = (method, path, body) =>
  request(path, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${access}` },
    body: JSON.stringify(body),
  });

const [serie] = (await request('/PriceSerie/?page_size=1')).results;
const [point] = (await request(`/PriceSeriePrice/${serie.uuid}/?latest=1`)).datapoints;
const [commodity] = (await request('/Commodity/?page_size=1')).results;

let number = 0;
const requests = {
  'GET PriceSerie/': () => request(`/PriceSerie/?page_size=${1 + (++number % 400)}&page=1`),
  'POST Commodity/': () => write('POST', '/Commodity/', { commodity_name: `Counted ${++number}` }),
  'PATCH Commodity/ID/ (category)': () =>
    write('PATCH', `/Commodity/${commodity.id}/`, { commodity_category: `Counted ${++number}` }),
  'PATCH of a price': () =>
    write('PATCH', `/PriceSeriePrice/${serie.uuid}/${point.id}/`, {
      price_value: point.price_value + 1 + (++number % 7),
    }),
};

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
for (const [name, send] of Object.entries(requests)) {
  for (let warm = 0; warm < WARM; warm++) await send();
  // Reports what has run since the last report.
  await session.post('Profiler.takePreciseCoverage');
  await send();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result
    .filter(
      ({ url, functions }) => url.startsWith(source) && functions.some(({ ranges }) => ranges[0].count > 0),
    )
    .map(({ url }) => url.slice(source.length))
    .sort();
  console.log(`${name}: ${files.length}`);
  if (values.list) console.log(files.map((file) => `  ${file}`).join('\n'));
}
process.exit(0);
