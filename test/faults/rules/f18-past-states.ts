import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from '../support/embedded.js';
import { buildRelease, releaseMissing } from '../support/former-release.js';
import { jsonBody, type HttpReply } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import { generatedUuid, PRICES_HEADER, writePricesFile } from '../support/prices-file.js';
import { createFolder } from '../support/resources.js';
import type { Measurements, Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

/** The last commit in which series and their further uuids have tables of versions. */
const COMMIT = 'bbc244353e5af201a2808f6730e3d12701555196';
const SERIES = 120;
const COMMODITIES = 40;
/** The columns of a line between its uuid and its date. */
const NAMES = PRICES_HEADER.split(',').slice(1, -3);
const SETTINGS = { THROTTLE_WRITES: '0' };
const STATES = { short: 100, long: 2000 };

export const pastStates: Rule = {
  id: 'F18P',
  title: 'past states after a migration of the former schema that was killed',
  skipReason: releaseMissing(COMMIT),
  timeoutMs: 2_400_000,
  async run({ short }) {
    const url = `sqlite:${join(createFolder(), 'prices.sqlite')}`;
    return migrateHistory(url, short, async (attempt) => {
      await runBuiltCommand('migrate', [], url, { killAfter: 300 + 60 * attempt });
      return inspect(url, (handle) => handle.prepare(MIGRATED).all()).length > 0;
    });
  },
};

export const pastStatesOnServer: Rule = {
  id: 'F18PD',
  title: 'past states after a migration on MariaDB that was killed at its statements',
  needsMariadb: true,
  skipReason: releaseMissing(COMMIT),
  timeoutMs: 2_400_000,
  async run({ short }) {
    const server = await MariaDb.start();
    const measurements = await migrateHistory(server.url, short, async (attempt) => {
      // The migration waits for the table, and is killed there.
      const table = ['record_version', 'price_serie_version', 'series_alias_version'][attempt];
      if (table === undefined) return (await runBuiltCommand('migrate', [], server.url)).code === 0;
      const connection = await server.connect('prices');
      await connection.query(`LOCK TABLES ${table} WRITE`);
      await runBuiltCommand('migrate', [], server.url, { killAfter: untilWaiting(server) });
      await connection.end();
      return (await server.query(MIGRATED, 'prices')).length > 0;
    });
    await server.stop();
    return measurements;
  },
};

const MIGRATED = "SELECT name FROM migrations WHERE name = 'SeriesVersions1764400000049'";

async function untilWaiting(server: MariaDb): Promise<void> {
  const waiting = "SELECT id FROM information_schema.processlist WHERE state LIKE 'Waiting for table%'";
  while ((await server.query(waiting)).length === 0) await sleep(20);
}

/**
 * Makes a history with the former release, and compares what it knows of every revision with what
 * this one knows after the migration.
 * @param migrate runs the migration, which may be killed; whether it is done
 */
async function migrateHistory(
  databaseUrl: string,
  short: boolean,
  migrate: (attempt: number) => Promise<boolean>,
): Promise<Measurements> {
  const build = buildRelease(COMMIT);
  for (const [name, args] of [
    ['migrate', []],
    ['import', ['prices', writePricesFile(SERIES, 3)]],
  ] as const) {
    const { code, output } = await runBuiltCommand(name, [...args], databaseUrl, { build });
    assert.equal(code, 0, output);
  }
  const former = await Service.start({ databaseUrl, build, settings: SETTINGS });
  const wanted = short ? STATES.short : STATES.long;
  const done = await makeHistory(former, wanted);
  const before = await readStates(former, wanted);
  await former.stop();
  let kills = 0;
  while (!(await migrate(kills))) kills++;
  const current = await Service.start({ databaseUrl, settings: SETTINGS });
  const after = await readStates(current, wanted);
  await current.stop();
  for (const [index, state] of after.entries())
    assert.equal(state, before[index], `State ${index} of ${after.length} has changed.`);
  assert.equal(after.length, before.length);
  return { states: after.length, different: new Set(after).size, kills, ...done };
}

type Kind = 'merge' | 'alias' | 'revert';
/** An import takes as long as many other steps. */
const KINDS: Kind[] = [...Array<Kind>(30).fill('merge'), ...Array<Kind>(29).fill('revert'), 'alias'];
/** Merges that are not reverted: some commodities are left to be merged. */
const MOST_MERGES = 25;

/** Merges commodities, continues series under other uuids, and reverts all that. */
async function makeHistory(service: Service, revisions: number): Promise<Record<Kind, number>> {
  let seed = 49;
  const below = (limit: number) => (seed = (seed * 48_271) % 0x7fffffff) % limit;
  const done = { merge: 0, alias: 0, revert: 0 };
  /** The ids of change sets that may be reverted. */
  const changeSets: number[] = [];
  const steps: Record<Kind, () => Promise<HttpReply | null>> = {
    merge: async () => {
      if (changeSets.length >= MOST_MERGES) return null;
      const [from, into] = [1 + below(COMMODITIES), 1 + below(COMMODITIES)];
      return service.write('POST', `/api/v1/Commodity/${from}/merge/`, { into });
    },
    alias: async () => {
      const page = await service.request(`/api/v1/PriceSerie/?page_size=2&page=${1 + below(SERIES / 4)}`);
      const { results } = jsonBody<{ results: Record<string, string>[] }>(page);
      const lines = results.map((serie) =>
        [
          generatedUuid(1000 + below(1e9)),
          ...NAMES.map((column) => `"${serie[column]}"`),
          ...['2015-02-01', 'daily', 1 + below(100)],
        ].join(','),
      );
      const headers = { 'Content-Type': 'text/csv' };
      const body = Buffer.from([PRICES_HEADER, ...lines].join('\n'));
      return service.write('POST', '/api/v1/Import/?format=prices', body, { headers });
    },
    revert: async () => {
      if (changeSets.length === 0) return null;
      const [id] = changeSets.splice(below(changeSets.length), 1);
      return service.write('POST', `/api/v1/ChangeSet/${id}/revert/`, { reason: 'History' });
    },
  };
  while ((await revisionOf(service)) < revisions) {
    const kind = KINDS[below(KINDS.length)]!;
    const reply = await steps[kind]();
    if (reply === null) continue;
    assert.ok(reply.status < 500, reply.text);
    if (reply.status >= 300) continue;
    done[kind]++;
    if (kind !== 'revert') changeSets.push(jsonBody<{ change_set: number }>(reply).change_set);
  }
  return done;
}

async function revisionOf(service: Service): Promise<number> {
  const { headers } = await service.request('/api/v1/PriceSerie/?page_size=1');
  return Number(headers['data-revision']);
}

/** What the service knows of revisions: the digests of their lists, and of its feed of changes. */
async function readStates(service: Service, revisions: number): Promise<string[]> {
  const states: string[] = [];
  const add = (text: string) => states.push(createHash('sha256').update(text).digest('base64'));
  for (let revision = 1; revision <= revisions; revision++) {
    const reply = await service.request(`/api/v1/PriceSerie/?page_size=1000&as_of=r${revision}`);
    assert.equal(reply.status, 200, reply.text);
    add(reply.text);
  }
  for (let since = ''; ;) {
    const reply = await service.request(`/api/v1/Changes/?points=true&limit=1000${since}`);
    const { results, next, more } = jsonBody<{ results: unknown[]; next: string; more: boolean }>(reply);
    add(JSON.stringify(results));
    if (!more) return states;
    since = `&since=${next}`;
  }
}
