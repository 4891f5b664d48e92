import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { checksum, PERIODS, POINTS, type Query, type Row } from '../support/content.js';
import { inspect } from '../support/embedded.js';
import { MariaDb } from '../support/mariadb.js';
import { generatedUuid, writePricesFile } from '../support/prices-file.js';
import { embeddedRound, type RoundDatabase, roundsOf } from '../support/round-databases.js';
import { ms, type Measurements, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

const IMPORT = 'import';
/**
 * Asserts that a killed import has stored whole batches only, with periods that match the points.
 * @returns the number of stored points
 */
export async function assertWholeBatches(query: Query, series: number, days: number): Promise<number> {
  const plain = (rows: Row[]) =>
    rows.map(({ uuid, period, points, first, last }) => [uuid, ...[period, points, first, last].map(Number)]);
  const points = await query(POINTS);
  assert.deepEqual(plain(points), plain(await query(PERIODS)), 'Periods and points do not match.');
  // The file is ordered by series and day, so whole batches are a prefix of it.
  const held = new Map(points.map((extent) => [String(extent.uuid), Number(extent.points)] as const));
  const total = [...held.values()].reduce((sum, count) => sum + count, 0);
  for (let number = 0, left = total; number < series; number++, left -= days) {
    const expected = Math.max(0, Math.min(days, left));
    assert.equal(
      held.get(generatedUuid(number)) ?? 0,
      expected,
      'The stored points are not a prefix of the file.',
    );
  }
  return total;
}

async function killRounds(
  rounds: number,
  createDatabase: () => Promise<RoundDatabase>,
): Promise<Measurements> {
  // Many times the size of the first sorted batch (25,000), so that storing begins before reading
  // ends.
  const [series, days] = [300, 1000];
  const file = writePricesFile(series, days);
  const first = await createDatabase();
  const whole = await runBuiltCommand(IMPORT, ['prices', file], first.url);
  assert.equal(whole.code, 0, whole.output);
  const sum = await checksum(first.query);
  let partly = 0;
  let round = 0;
  // More rounds until a kill has met an import part way.
  for (; round < rounds || (partly === 0 && round < 4 * rounds); round++) {
    const { url, query } = await createDatabase();
    await runBuiltCommand(IMPORT, ['prices', file], url, {
      killAfter: whole.ms * (0.5 + 0.45 * Math.random()),
    });
    const points = await assertWholeBatches(query, series, days);
    if (points > 0 && points < series * days) partly++;
    const again = await runBuiltCommand(IMPORT, ['prices', file], url);
    assert.equal(again.code, 0, again.output);
    assert.equal(await checksum(query), sum, 'The repeated import did not produce the same state.');
  }
  assert.ok(partly > 0, `None of ${round} kills met an import part way.`);
  return { rows: series * days, rounds: round, 'killed half-way': partly, 'whole import ms': ms(whole.ms) };
}

export const killedImport: Rule = {
  id: 'F10',
  title: 'kill -9 during import; two concurrent imports; an import while the service runs',
  timeoutMs: 400_000,
  async run({ short }) {
    const measurements = await killRounds(short ? 3 : 20, embeddedRound);
    // While a service serves reads and writes.
    const service = await Service.start();
    await service.login();
    const text = readFileSync(writePricesFile(60, 1500));
    let onSecondExit!: (result: { code: number | string; output: string }) => void;
    const secondImport = new Promise<{ code: number | string; output: string }>(
      (resolve) => (onSecondExit = resolve),
    );
    const importing = runBuiltCommand(IMPORT, ['prices', '-'], service.databaseUrl, {
      // The first import gets the rest of its input once the second has been rejected.
      feed: async (input) => {
        input.write(text.subarray(0, text.length / 2));
        await secondImport;
        input.write(text.subarray(text.length / 2));
      },
    });
    let done = false;
    void importing.then(() => (done = true));
    let slowestRead = 0;
    let slowestWrite = 0;
    let second = false;
    for (let count = 0; !done; count++) {
      const read = await service.request(`/api/v1/Commodity/?name=name${count}`);
      assert.equal(read.status, 200, read.text);
      slowestRead = Math.max(slowestRead, read.ms);
      const write = await service.write('POST', '/api/v1/Commodity/', { commodity_name: `Beside ${count}` });
      assert.equal(write.status, 201, write.text);
      slowestWrite = Math.max(slowestWrite, write.ms);
      const running = await inspect(service.databaseUrl, (handle) =>
        handle.prepare('SELECT holder FROM import_lock').pluck().get(),
      );
      if (running !== null && !second) {
        second = true;
        void runBuiltCommand(IMPORT, ['prices', '-'], service.databaseUrl, {
          feed: async () => undefined,
        }).then(onSecondExit);
      }
      await sleep(50);
    }
    assert.equal((await importing).code, 0);
    const { code, output } = await secondImport;
    assert.equal(code, 1, output);
    assert.match(output, /Another import is running/);
    await service.stop();
    return {
      ...measurements,
      'slowest read beside ms': ms(slowestRead),
      'slowest write beside ms': ms(slowestWrite),
    };
  },
};

export const killedImportToServer: Rule = {
  id: 'F10D',
  title: 'kill -9 during import into MariaDB',
  needsMariadb: true,
  timeoutMs: 400_000,
  async run({ short }) {
    const server = await MariaDb.start();
    const measurements = await killRounds(short ? 2 : 10, roundsOf(server, 'import'));
    await server.stop();
    return measurements;
  },
};
