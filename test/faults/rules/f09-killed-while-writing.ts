import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertDuration } from '../support/assertions.js';
import { inspect } from '../support/embedded.js';
import { ms, type Measurements, type Rule } from '../support/rule.js';
import { MariaDb } from '../support/mariadb.js';
import { Service, runBuiltCommand } from '../support/service.js';

/** Concurrent clients. */
const WRITERS = 4;

/** Writes until the service is killed. @returns the names that were acknowledged */
async function writeAndKill(service: Service, round: number, after: number): Promise<string[]> {
  const token = await service.login();
  const acknowledged: string[] = [];
  let going = true;
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let index = 0; going; index++) {
      const name = `Round ${round} writer ${writer} number ${index}`;
      const reply = await service.request('/api/v1/Commodity/', {
        method: 'POST',
        body: { commodity_name: name },
        headers: { Authorization: `Bearer ${token}` },
      });
      if (reply.status === 201) acknowledged.push(name);
    }
  });
  await sleep(after);
  await service.kill();
  going = false;
  await Promise.all(writers);
  return acknowledged;
}

async function rounds(
  databaseUrl: string | undefined,
  count: number,
  stored: (url: string) => Promise<{ names: string[]; audited: string[] }>,
): Promise<{ writes: number; slowest: number }> {
  const all: string[] = [];
  let slowest = 0;
  let service = await Service.start({ databaseUrl });
  for (let round = 0; round < count; round++) {
    all.push(...(await writeAndKill(service, round, 50 + Math.random() * 350)));
    service = await Service.launch({ databaseUrl: service.databaseUrl });
    await service.waitUntilReady(15_000);
    slowest = Math.max(slowest, performance.now() - service.startedAt);
    const { names, audited } = await stored(service.databaseUrl);
    const present = new Set(names);
    assert.deepEqual(
      all.filter((name) => !present.has(name)),
      [],
      'Acknowledged writes were lost.',
    );
    // A record and its audit log entry are stored together or not at all.
    assert.deepEqual(audited.sort(), names.sort());
  }
  await service.stop();
  assert.ok(all.length >= count, `Only ${all.length} writes were acknowledged.`);
  return { writes: all.length, slowest };
}

const NAMES = 'SELECT name FROM commodity';
const AUDITED =
  "SELECT c.name FROM audit_log a JOIN commodity c ON c.id = a.record_id WHERE LOWER(a.table_name) = 'commodity'";

async function onServer(count: number): Promise<Measurements> {
  const server = await MariaDb.start();
  await runBuiltCommand('migrate', [], server.url);
  const names = async (sql: string) =>
    (await server.query<{ name: string }>(sql, 'prices')).map((row) => row.name);
  const { writes, slowest } = await rounds(server.url, count, async () => ({
    names: await names(NAMES),
    audited: await names(AUDITED),
  }));
  await server.stop();
  return { 'MariaDB rounds': count, 'writes kept there': writes, 'slowest ready there ms': ms(slowest) };
}

export const killedWhileWriting: Rule = {
  id: 'F9',
  title: 'kill -9 while writing',
  timeoutMs: 300_000,
  async run(mode) {
    const count = mode.short ? 5 : 30;
    const { writes, slowest } = await rounds(undefined, count, async (url) =>
      inspect(url, (handle) => {
        assert.equal(handle.pragma('integrity_check', { simple: true }), 'ok');
        assert.deepEqual(handle.pragma('foreign_key_check'), []);
        return {
          names: handle.prepare(NAMES).pluck().all() as string[],
          audited: handle.prepare(AUDITED).pluck().all() as string[],
        };
      }),
    );
    assertDuration(mode, slowest, 5000, 'Ready');
    return { rounds: count, 'writes kept': writes, 'slowest ready ms': ms(slowest) };
  },
};

export const killedWhileWritingToServer: Rule = {
  id: 'F9D',
  title: 'kill -9 while writing to MariaDB',
  needsMariadb: true,
  run: ({ short }) => onServer(short ? 2 : 10),
};
