import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { checksum, type Query, type Row } from '../support/content.js';
import { MariaDb } from '../support/mariadb.js';
import { writePricesFile } from '../support/prices-file.js';
import { embeddedRound, type RoundDatabase, roundsOf } from '../support/round-databases.js';
import { ms, type Measurements, type Rule, TimeLimitError } from '../support/rule.js';
import { runBuiltCommand, Service } from '../support/service.js';
import { SourceServer } from '../support/source-server.js';
import { assertWholeBatches } from './f10-killed-import.js';

/** Of the large file: many transactions of 10,000 rows. */
const [SERIES, DAYS] = [100, 1000];
const ROWS = SERIES * DAYS;
/** Of the small file, which begins as the large one does. */
const SMALL_ROWS = 10;
/** Runs come once a year: only those that are made due here are due. */
const SCHEDULE = '0 0 1 1 *';
/** Longest wait for a run: a killed process holds the lease for half a minute. */
const RUN_TIMEOUT_MS = 120_000;

/** Waits until something holds in the database. */
async function until(what: string, holds: () => Promise<boolean>, service?: Service): Promise<void> {
  const end = performance.now() + RUN_TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > end)
      throw new TimeLimitError(`${what} did not happen within ${RUN_TIMEOUT_MS} ms.${service?.tail() ?? ''}`);
    await sleep(20);
  }
}

/** Waits for the process that imports, which ends after its transaction. */
async function importEnded(query: Query): Promise<void> {
  for (let [before, now] = [-1, await pointsOf(query)]; before !== now; now = await pointsOf(query)) {
    before = now;
    await sleep(2000);
  }
}

const pointsOf = async (query: Query) =>
  Number((await query('SELECT COUNT(*) AS points FROM observation'))[0]!.points);

const runsOf = async (query: Query): Promise<Row[]> =>
  (await query('SELECT harvest_id, state, attempt, due_at, error, counts FROM harvest_run ORDER BY id')).map(
    (row) => ({ ...row }),
  );

/** When a round kills the service: while the file is tried out, or while it is stored. */
type Moment = 'tried out' | 'stored';

async function killRound(
  { url, query }: RoundDatabase,
  moment: Moment,
  files: Readonly<Record<string, string>>,
): Promise<{ stored: number; mendedMs: number }> {
  const source = await SourceServer.start(files);
  const settings = { OUTGOING_ALLOW: '127.0.0.1' };
  let service = await Service.start({ databaseUrl: url, settings });
  for (const name of ['large', 'small']) {
    const harvest = { name, address: source.address(`/${name}`), format: 'prices', schedule: SCHEDULE };
    const { status, text } = await service.write('POST', '/api/v1/Harvest/', harvest);
    assert.equal(status, 201, text);
  }
  // Both were due at the same time; the large one comes first.
  const due = new Date(Date.now() - 60_000).toISOString();
  await query(`UPDATE harvest SET next_run_at = '${due}'`);
  const hasBegun =
    moment === 'stored' ? async () => (await pointsOf(query)) > 0 : async () => source.asked['/large'] === 1;
  await until('The run that is killed', hasBegun, service);
  await sleep(Math.random() * 300);
  await service.kill();
  await importEnded(query);
  const stored = await assertWholeBatches(query, SERIES, DAYS);
  assert.deepEqual(
    (await runsOf(query)).map(({ harvest_id, state: of }) => [harvest_id, of]),
    [
      [1, 'running'],
      [2, 'waiting'],
    ],
  );

  const restarted = performance.now();
  service = await Service.start({ databaseUrl: url, settings, port: service.port });
  const isDone = async (id: number) =>
    (await runsOf(query)).some((run) => run.harvest_id === id && run.state === 'done');
  await until('The run of the small file', () => isDone(2), service);
  // The retry is to come in a minute; here it comes at once.
  await query(`UPDATE harvest_run SET not_before = '${due}' WHERE state = 'waiting'`);
  await until('The retry', () => isDone(1), service);
  const mendedMs = performance.now() - restarted;
  // Nothing more comes of it.
  await sleep(11_000);
  const runs = await runsOf(query);
  assert.deepEqual(
    runs.map(({ harvest_id, state: of, attempt, due_at, error }) => [harvest_id, of, attempt, due_at, error]),
    [
      [1, 'interrupted', 1, due, 'The process that ran it has ended.'],
      [2, 'done', 1, due, ''],
      [1, 'done', 2, due, ''],
    ],
  );
  const {
    read,
    new: added,
    changed,
    unchanged,
  } = JSON.parse(String(runs[2]!.counts)) as Record<string, number>;
  const known = Math.max(stored, SMALL_ROWS);
  assert.deepEqual([read, added, changed, unchanged], [ROWS, ROWS - known, 0, known]);
  assert.deepEqual(source.asked, { '/large': 2, '/small': 1 });
  const sets = await query("SELECT state FROM change_set WHERE kind = 'import' ORDER BY id");
  // A process that outlives the service for its transaction says itself that it has failed.
  const states = sets.map(({ state: of }) => (of === 'failed' ? 'interrupted' : of));
  // The import of a run whose file is stored may have ended before the service was killed.
  const first = stored === ROWS && states[0] === 'done' ? 'done' : 'interrupted';
  assert.deepEqual(states, [...(moment === 'stored' ? [first] : []), 'done', 'done']);
  await service.stop();
  source.stop();
  return { stored, mendedMs };
}

async function killRounds(
  rounds: number,
  createDatabase: () => Promise<RoundDatabase>,
): Promise<Measurements> {
  const files = { '/large': writePricesFile(SERIES, DAYS), '/small': writePricesFile(1, SMALL_ROWS) };
  const whole = await createDatabase();
  for (const file of [files['/large'], files['/small']]) {
    const { code, output } = await runBuiltCommand('import', ['prices', file], whole.url);
    assert.equal(code, 0, output);
  }
  const sum = await checksum(whole.query);
  let partly = 0;
  let slowest = 0;
  let round = 0;
  // More rounds until a kill has met an import part way.
  for (; round < rounds || (partly === 0 && round < 4 * rounds); round++) {
    const database = await createDatabase();
    const { stored, mendedMs } = await killRound(database, round % 2 === 0 ? 'stored' : 'tried out', files);
    if (stored > 0 && stored < ROWS) partly++;
    slowest = Math.max(slowest, mendedMs);
    assert.equal(await checksum(database.query), sum, 'The retry did not produce the same state.');
  }
  assert.ok(partly > 0, `None of ${round} kills met an import part way.`);
  return { rows: ROWS, rounds: round, 'killed half-way': partly, 'slowest mend ms': ms(slowest) };
}

export const killedHarvest: Rule = {
  id: 'F10H',
  title: 'kill -9 during the import of a harvest',
  timeoutMs: 600_000,
  run: ({ short }) => killRounds(short ? 1 : 4, embeddedRound),
};

export const killedHarvestOnServer: Rule = {
  id: 'F10HD',
  title: 'kill -9 during the import of a harvest into MariaDB',
  needsMariadb: true,
  timeoutMs: 600_000,
  async run({ short }) {
    const server = await MariaDb.start();
    const measurements = await killRounds(short ? 1 : 3, roundsOf(server, 'harvest'));
    await server.stop();
    return measurements;
  },
};
