import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PERIODS, POINTS, type Query, type Row } from '../support/content.js';
import { inspect } from '../support/embedded.js';
import { jsonBody } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import { writePricesFile } from '../support/prices-file.js';
import { createFolder } from '../support/resources.js';
import { ms, type Measurements, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

const IMPORT = 'import';
const REVERT = 'revert';
const LARGE_FILE = resolve(
  process.cwd(),
  '../shared/data/wfp/large/wfp_food_prices_58countries_2023-08.csv.gz',
);
const OBSERVATIONS = `SELECT s.uuid, o.serie_id, o.period, o.day, o.value, o.calculated, o.comment
  FROM observation o JOIN price_serie s ON s.id = o.serie_id ORDER BY s.uuid, o.period, o.day`;
const USED_TABLES = ['commodity', 'market', 'source', 'measure_unit'];

/** A stored point in one line, without ids. */
const lineOf = ({ uuid, period, day, value, calculated, comment }: Row) =>
  [uuid, Number(period), Number(day), Number(value), Number(calculated), comment].join(' ');

/** The address of a point: its id has the id of its series, its period and its day. */
const addressOf = ({ uuid, serie_id, period, day }: Row) =>
  `/api/v1/PriceSeriePrice/${String(uuid)}/${(Number(serie_id) * 4 + Number(period)) * 4_194_304 + Number(day)}/`;

/** Every n-th of the points, so that `count` are taken from all over the list. */
const spread = (points: readonly Row[], count: number) =>
  Array.from({ length: count }, (_, index) => points[Math.floor((index * points.length) / count)]!);

/**
 * Imports a file, then another, changes points of both, and reverts the second file with a
 * command that is killed on the way: all that remains is the first file and the changes.
 */
async function importAndRevert(url: string, query: Query, short: boolean): Promise<Measurements> {
  const run = async (script: string, args: string[]) => {
    const result = await runBuiltCommand(script, args, url);
    // The published file has rows that are rejected, which the command says with 3.
    assert.ok(result.code === 0 || (script === IMPORT && result.code === 3), result.output);
    return result;
  };
  await run('migrate', []);
  await run(IMPORT, ['prices', writePricesFile(50, 200)]);
  const before = await query(OBSERVATIONS);
  const known = new Set(before.map(lineOf));
  const published = !short && existsSync(LARGE_FILE);
  await run(IMPORT, published ? ['wfp', LARGE_FILE] : ['prices', writePricesFile(short ? 100 : 300, 1000)]);
  const imported = (await query(OBSERVATIONS)).filter((row) => !known.has(lineOf(row)));

  const service = await Service.start({ databaseUrl: url, settings: { THROTTLE_WRITES: '0' } });
  const changes = short ? 60 : 1000;
  const changed = [...spread(before, changes / 2), ...spread(imported, changes / 2)];
  for (const [index, row] of changed.entries()) {
    const reply = await service.write('PATCH', addressOf(row), { price_value: 500_000 + index });
    assert.equal(reply.status, 200, reply.text);
  }
  const list = await service.request('/api/v1/ChangeSet/?kind=import');
  const { id } = jsonBody<{ results: { id: number }[] }>(list).results[0]!;
  const changedLines = changed.map((row, index) =>
    lineOf({ ...row, value: 500_000 + index, comment: row.comment }),
  );
  const changedKeys = new Set(changed.map((row) => addressOf(row)));
  const expected = [
    ...before.filter((row) => !changedKeys.has(addressOf(row))).map(lineOf),
    ...changedLines,
  ].sort();

  const total = before.length + imported.length;
  const stored = async () => Number((await query('SELECT COUNT(*) AS points FROM observation'))[0]!.points);
  let ended = false;
  const begun = async () => {
    while (!ended && (await stored()) === total) await sleep(20);
    await sleep(300 * Math.random());
  };
  const { output } = await runBuiltCommand(REVERT, [String(id)], url, { killAfter: begun() });
  ended = true;
  const left = await stored();
  assert.ok(left < total, `The command ended before it reverted anything: ${output}`);
  assert.ok(left > expected.length, 'The command ended before it was killed.');
  const { ms: duration } = await run(REVERT, [String(id)]);
  assert.deepEqual((await query(OBSERVATIONS)).map(lineOf).sort(), expected);
  const plain = (rows: Row[]) =>
    rows.map(({ uuid, period, points, first, last }) => [uuid, ...[period, points, first, last].map(Number)]);
  assert.deepEqual(plain(await query(POINTS)), plain(await query(PERIODS)), 'Periods and points differ.');
  for (const table of USED_TABLES) {
    const unused = await query(
      `SELECT id FROM ${table} WHERE id NOT IN (SELECT ${table}_id FROM price_serie)`,
    );
    assert.deepEqual(unused, [], `Records of ${table} that nothing uses are left.`);
  }
  const reply = await service.request(`/api/v1/ChangeSet/${id}/`);
  assert.notEqual(jsonBody<{ reverted_by: number | null }>(reply).reverted_by, null);
  await service.stop();
  return {
    'points of the import': imported.length,
    'later changes': changes,
    'left when killed': left,
    'rest ms': ms(duration),
    'published file': published,
  };
}

export const revertedImport: Rule = {
  id: 'H2',
  title: 'a large import reverted after later changes, by a command that is killed and run again',
  timeoutMs: 600_000,
  async run({ short }) {
    const url = `sqlite:${join(createFolder(), 'prices.sqlite')}`;
    return importAndRevert(
      url,
      async (sql) => inspect(url, (handle) => handle.prepare(sql).all() as Row[]),
      short,
    );
  },
};

export const revertedImportOnServer: Rule = {
  id: 'H2D',
  title: 'the same on MariaDB',
  needsMariadb: true,
  timeoutMs: 900_000,
  async run({ short }) {
    const server = await MariaDb.start();
    const measurements = await importAndRevert(server.url, (sql) => server.query<Row>(sql, 'prices'), short);
    await server.stop();
    return measurements;
  },
};
