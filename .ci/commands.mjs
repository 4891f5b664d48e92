// Runs each built command on one database in a state that makes it take its branches: records that
// a file fills, conflicts, corrections, merges, findings, a sample that is in use.
//   node .ci/commands.mjs [URL of a database server]
// Without a URL, on an embedded database. Works on databases of its own, which it removes.
// SHOW_OUTPUT=1 prints what the commands print.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';

const server = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'pds-commands-'));
const names = ['main', 'restored', 'mirror'].map((name) => `pds_commands_${process.pid}_${name}`);
const [main, restored, mirrored] = names.map((name) =>
  server === undefined ? `sqlite:${join(folder, `${name}.sqlite`)}` : new URL(`/${name}`, server).href,
);
const password = 'lantern 52 of the quiet harbour';
// Below the ports of outgoing connections, which keep theirs for a minute after they have ended.
const port = 20_000 + Math.floor(Math.random() * 12_000);
const base = `http://127.0.0.1:${port}`;
const variables = (url) => ({
  ...process.env,
  DATABASE_URL: url,
  EDITIONS_DIR: join(folder, 'editions'),
  UPLOADS_DIR: join(folder, 'uploads'),
  ADMIN_PASSWORD: password,
  LOG_LEVEL: 'warn',
  HOST: '127.0.0.1',
  PORT: String(port),
  MANAGEMENT_PORT: String(port + 1),
});

/**
 * Runs a command to its end.
 * @param expected a text or pattern that its output has
 * @returns its output
 */
function run(name, args, expected, { url = main, input = '', code = 0 } = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`dist/src/commands/${name}.command.js`, ...args],
    { env: variables(url), input, encoding: 'utf8', timeout: 120_000 },
  );
  const output = `${stdout}${stderr}`;
  const shown = `npm run ${name} -- ${args.join(' ')}\n${output}`;
  assert.equal(status, code, shown);
  assert.match(output, expected, shown);
  assert.doesNotMatch(output, /TypeError|EntityMetadata|No metadata|\bat .*\.js:\d+/, shown);
  if (process.env.SHOW_OUTPUT) console.log(output);
  console.log(`npm run ${[name, ...args.map((arg) => arg.replace(folder, '…'))].join(' ')}: ${status}`);
  return output;
}

const HEADER =
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';
const FILLED =
  ',hs_code,category,market_type,market_code,market_info,latitude,longitude,source_url,source_license';
const months = Array.from({ length: 14 }, (_, index) =>
  new Date(Date.UTC(2023, index, 1)).toISOString().slice(0, 10),
);
const prices = (market, columns = '', values = '', last = 50) =>
  [
    `${HEADER}${columns}`,
    ...months.map((date, index) => {
      const price = index === months.length - 1 ? last : 50;
      return `KEN,Beans,RETAIL,${market},Ministry,KES,kg,${date},monthly,${price}${values}`;
    }),
  ].join('\n');

/** Imports a text. @returns the number of its change set */
function importText(format, text, expected, options = [], more = {}) {
  const file = join(folder, `${format}.csv`);
  writeFileSync(file, text);
  const output = run('import', [format, file, ...options], expected, more);
  return /change set (\d+)/.exec(output)?.[1];
}

/** Commands block this process for longer than the service keeps a connection. */
const ONE_REQUEST = { Connection: 'close' };

let service;
async function startService() {
  service = spawn(process.execPath, ['dist/src/main.js'], { env: variables(main), stdio: 'inherit' });
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`${base}/health/ready`, { headers: ONE_REQUEST }).catch(() => null);
    if (ready?.status === 200) return;
    assert(tries < 300 && service.exitCode === null, 'The service did not become ready.');
    await sleep(200);
  }
}
async function stopService() {
  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  assert.equal(await ended, 0, 'The service did not shut down gracefully.');
  service = undefined;
}

let token = '';
async function send(method, path, body) {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...ONE_REQUEST,
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  assert(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}
/** What a command has written is visible to the service after a moment, on a server. */
const get = async (path) => {
  if (server !== undefined) await sleep(1500);
  return send('GET', path);
};
const marketId = async (name) => (await get(`/api/v1/Market/?name=${name}`))[0].id;
/** The number of the newest change set of a kind. */
const newest = async (kind) =>
  String((await get(`/api/v1/ChangeSet/?kind=${kind}&page_size=1`)).results[0].id);

async function withServer(action) {
  if (server === undefined) return;
  const { hostname: host, port: number, username: user, password: secret } = new URL(server);
  const connection = await createConnection({
    host,
    port: Number(number || 3306),
    user: decodeURIComponent(user),
    password: decodeURIComponent(secret),
  });
  await action(connection);
  await connection.end();
}

try {
  await withServer(async (connection) => {
    for (const name of names) await connection.query(`CREATE DATABASE ${name}`);
  });
  if (server === undefined) run('migrate', [], /There is no database/, { code: 1 });
  else run('migrate', [], /Ran .*\n[^]*now up to date/);
  await startService();
  run('migrate', [], /The database is up to date/);
  ({ access: token } = await send('POST', '/api/auth/login/', { username: 'admin', password }));

  // Imports: records made, found, filled, in conflict; a dry run, rejected rows, no rows at all.
  importText('prices', prices('Thika'), /new +14/, ['--dry-run']);
  const made = importText('prices', prices('Thika'), /Market created +1/);
  importText('prices', prices('Thika'), /unchanged +14/);
  const filled = importText(
    'prices',
    prices('Thika', FILLED, ',0713,pulses,Town,T-1,near the bridge,-1.03,37.07,https://example.org/,CC0'),
    /unchanged +14/,
  );
  importText('prices', prices('Thika', ',hs_code', ',0714'), /unchanged +14/);
  importText(
    'prices',
    `${prices('Thika')}\nKEN,Beans,RETAIL,Thika,Ministry,KES,kg,2024-03-01,monthly,-5`,
    /rejected +1/,
    [],
    { code: 3 },
  );
  importText('prices', `${HEADER}\n`, /no line below it/, [], { code: 1 });
  importText('prices', prices('Tika', '', '', 500), /findings +\d/);
  importText(
    'fx',
    'currency,date,period,rate\nKES,2023-01-01,monthly,125\nKES,2023-02-01,monthly,126\n',
    /new +2/,
    ['--source', 'Office'],
  );
  importText('fx', 'currency,date,period,rate\nKES,2023-01-01,monthly,127\n', /changed +1/, [
    '--source',
    'Office',
    '--replace',
    '--reason',
    'Revised',
  ]);
  importText(
    'cpi',
    'iso3_country_code,date,item,value,base_period\nKEN,2023-01-01,general,100,2023\nKEN,2023-02-01,general,101,2023\n',
    /new +2/,
    ['--source', 'Office'],
  );

  // By a mapping in a file, and by one that is stored.
  const mapping = {
    name: 'office',
    table: 'prices',
    fields: {
      ...Object.fromEntries(HEADER.split(',').map((name) => [name, { column: name }])),
      commodity: { column: 'commodity', values: { Beans: 'Peas' } },
    },
  };
  const mappingFile = join(folder, 'office.json');
  writeFileSync(mappingFile, JSON.stringify(mapping));
  const bulletin = join(folder, 'bulletin.csv');
  writeFileSync(bulletin, prices('Thika'));
  run('import', ['--mapping', mappingFile, bulletin, '--dry-run'], /The first rows/);
  run('import', ['office', bulletin], /Unknown format "office"/, { code: 2 });
  await send('POST', '/api/v1/Mapping/', mapping);
  run('import', ['office', bulletin], /office \(version 1\) bulletin\.csv\n[^]*new +14/);
  run('import', ['--mapping', mappingFile, bulletin], /unchanged +14/);

  // What is reverted: an import that filled, a correction, a merge, a revert.
  const [thika] = (await get(`/api/v1/PriceSerie/?market_ids=${await marketId('Thika')}`)).results;
  const {
    datapoints: [point],
  } = await get(`/api/v1/PriceSeriePrice/${thika.uuid}/`);
  await send('PATCH', `/api/v1/PriceSeriePrice/${thika.uuid}/${point.id}/`, { price_value: 55 });
  run('revert', [await newest('correction'), '--dry-run'], /dry run: nothing is stored/);
  run('revert', [await newest('correction'), '--reason', 'It was right'], /was reverted by change set/);
  run('revert', [await newest('revert')], /was reverted by change set/);
  run('revert', [filled, '--dry-run'], /dry run: nothing is stored/);
  run('revert', [filled], /was reverted by change set/);
  await send('POST', `/api/v1/Market/${await marketId('Tika')}/merge/`, { into: await marketId('Thika') });
  importText('prices', prices('Tika', '', '', 500), /unchanged +14/);
  run('revert', [await newest('merge')], /was reverted by change set/);
  run('revert', ['999999'], /There is no such change set/, { code: 1 });
  run('revert', [made], /was reverted by change set/);
  run('findings', [], /opened +ended +unchanged/);

  // Accounts.
  run('user', ['add', 'zoe'], /zoe/, { input: password });
  run('user', ['add', 'zoe'], /zoe/, { input: password, code: 1 });
  run('user', ['add', 'yan', '--role', 'admin'], /yan/, { input: `${password} too\n` });
  run('user', ['passwd', 'zoe'], /zoe/, { input: `${password} again` });
  run('user', ['disable', 'zoe'], /zoe/);
  run('user', ['enable', 'zoe'], /zoe/);
  run('user', ['disable', 'nobody'], /nobody/, { code: 1 });
  run('user', ['list'], /zoe[^]*|yan/);

  // The sample, of which a record is in use, so that it stays.
  run('sample', ['load'], /The sample is loaded/);
  const samples = await get('/api/v1/PriceSerie/?page_size=100');
  const { commodity } = samples.results.find(({ commodity }) => commodity !== 'Beans');
  importText('prices', prices('Thika').replaceAll('Beans', `"${commodity}"`), /new +14/);
  run('sample', ['remove'], /Removed \d+ series/);
  run('sample', ['load'], /The sample is loaded/);

  // Copies.
  run('edition', ['--title', 'First'], /Edition 1 of revision/);
  run('edition', ['--title', 'Past', '--revision', '2'], /Edition 2 of revision 2/);
  // An embedded database is made where it is needed.
  if (server !== undefined) run('migrate', [], /now up to date/, { url: mirrored });
  run('mirror', [base, '--once'], /Copied \d+ changes/, { url: mirrored });
  run('mirror', [base, '--once'], /Copied 0 changes/, { url: mirrored });
  run('mirror', [base, '--check', base], /PriceSeriePrice: equal/);
  const copy = join(folder, 'backup');
  run('backup', [copy], /Backed up/);
  await stopService();
  run('restore', [copy], /Restored/, { url: restored });
  run('migrate', [], /up to date/, { url: restored });
  run('user', ['list'], /zoe/, { url: restored });
  console.log(
    `All commands work, built, on ${server === undefined ? 'the embedded database' : 'the server'}.`,
  );
} finally {
  service?.kill('SIGKILL');
  await withServer(async (connection) => {
    for (const name of names) await connection.query(`DROP DATABASE IF EXISTS ${name}`);
  });
  rmSync(folder, { recursive: true, force: true });
}
