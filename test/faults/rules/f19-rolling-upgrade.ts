import assert from 'node:assert/strict';
import { join } from 'node:path';
import { assertProblem } from '../support/assertions.js';
import { inspect } from '../support/embedded.js';
import { buildFormerRelease, formerReleaseMissing } from '../support/former-release.js';
import { jsonBody } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import { writePricesFile } from '../support/prices-file.js';
import { createFolder } from '../support/resources.js';
import type { Measurements, Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

const MIGRATE = 'migrate';
const IMPORT = 'import';
const COMMODITIES = '/api/v1/Commodity/';

/** Runs SQL on the database that both releases share. */
type Query = (sql: string) => Promise<Record<string, unknown>[]>;

export const rollingUpgrade: Rule = {
  id: 'F19',
  title: 'the former release and this one share an embedded database',
  skipReason: formerReleaseMissing,
  timeoutMs: 240_000,
  async run() {
    const url = `sqlite:${join(createFolder(), 'prices.sqlite')}`;
    return upgrade(url, async (sql) =>
      inspect(url, (handle) => {
        const statement = handle.prepare<[], Record<string, unknown>>(sql);
        return statement.reader ? statement.all() : (statement.run(), []);
      }),
    );
  },
};

export const rollingUpgradeOnServer: Rule = {
  id: 'F19D',
  title: 'the former release and this one share a database on MariaDB',
  needsMariadb: true,
  skipReason: formerReleaseMissing,
  timeoutMs: 240_000,
  async run() {
    const server = await MariaDb.start();
    const measurements = await upgrade(server.url, (sql) => server.query(sql, 'prices'));
    await server.stop();
    return measurements;
  },
};

async function upgrade(databaseUrl: string, query: Query): Promise<Measurements> {
  const build = buildFormerRelease();
  const migrations = async () =>
    (await query('SELECT name FROM migrations ORDER BY id')).map(({ name }) => String(name));
  const versionOf = (names: string[]) => Number(names.at(-1)!.slice(-13));

  assert.equal((await runBuiltCommand(MIGRATE, [], databaseUrl, { build })).code, 0);
  const former = await Service.start({ databaseUrl, build });
  const formerSchema = await migrations();
  await writeAndRead(former, former, 'before');

  // The new release migrates and starts while the former one serves.
  const migrated = await runBuiltCommand(MIGRATE, [], databaseUrl);
  assert.equal(migrated.code, 0, migrated.output);
  const schema = await migrations();
  assert.deepEqual(schema.slice(0, formerSchema.length), formerSchema);
  const current = await Service.start({ databaseUrl });
  await writeAndRead(current, former, 'by the new release');
  const [row] = await query('SELECT oldest_writer FROM data_revision');
  const mayWrite = Number(row!.oldest_writer) <= versionOf(formerSchema);
  if (mayWrite) await writeAndRead(former, current, 'by the former release');
  else assertProblem(await former.write('POST', COMMODITIES, { name: 'rejected' }), 503, 'newer_schema');
  await former.stop();

  const again = await runBuiltCommand(MIGRATE, [], databaseUrl, { build });
  assert.equal(again.code, 0, again.output);
  if (schema.length > formerSchema.length) assert.match(again.output, /newer version.*Nothing was changed/);
  assert.deepEqual(await migrations(), schema);
  const restarted = await Service.start({ databaseUrl, build });
  if (mayWrite) {
    await writeAndRead(restarted, current, 'after a restart');
    const prices = writePricesFile(3, 40);
    const imported = await runBuiltCommand(IMPORT, ['prices', prices], databaseUrl, { build });
    assert.equal(imported.code, 0, imported.output);
  }
  await sameReply(restarted, current, '/api/v1/PriceSerie/?page_size=10');

  // From now on, only releases with a newer schema than the former one may write.
  if (mayWrite) {
    await query(`UPDATE data_revision SET oldest_writer = ${versionOf(formerSchema) + 1} WHERE id = 1`);
    assertProblem(await restarted.write('POST', COMMODITIES, { name: 'rejected' }), 503, 'newer_schema');
  }
  const stored = await query("SELECT id FROM commodity WHERE name = 'rejected'");
  assert.deepEqual(stored, []);
  const rejected = await runBuiltCommand(IMPORT, ['prices', writePricesFile(1, 2)], databaseUrl, { build });
  assert.equal(rejected.code, 1, rejected.output);
  assert.match(rejected.output, /Only newer releases can write/);
  await restarted.stop();
  // It starts, and reads.
  const reader = await Service.start({ databaseUrl, build });
  assert.deepEqual(jsonBody(await reader.request('/health/ready')), { status: 'degraded' });
  assertProblem(
    await reader.request('/api/auth/login/', { method: 'POST', body: { username: 'a', password: 'b' } }),
    503,
    'newer_schema',
  );
  await sameReply(reader, current, COMMODITIES);
  await sameReply(reader, current, '/api/v1/PriceSerie/?page_size=10');
  if (versionOf(schema) > versionOf(formerSchema)) await writeAndRead(current, reader, 'without the former');
  await Promise.all([reader.stop(), current.stop()]);
  return { 'migrations of the former release': formerSchema.length, 'of this one': schema.length };
}

/** Creates, changes and deletes records with one release, and reads them with the other. */
async function writeAndRead(writer: Service, reader: Service, name: string): Promise<void> {
  const created = await writer.write('POST', COMMODITIES, { name });
  assert.equal(created.status, 201, created.text);
  const address = `${COMMODITIES}${jsonBody<{ id: number }>(created).id}/`;
  const changed = await writer.write('PATCH', address, { name: `${name}, changed` });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(jsonBody<{ name: string }>(await reader.request(address)).name, `${name}, changed`);
  const other = await writer.write('POST', COMMODITIES, { name: `${name}, deleted` });
  const deleted = await writer.write('DELETE', `${COMMODITIES}${jsonBody<{ id: number }>(other).id}/`);
  assert.equal(deleted.status, 204, deleted.text);
  const { status, text } = await reader.request('/api/v1/AuditLog/?table=commodity&page_size=1', {
    headers: { Authorization: `Bearer ${await writer.login()}` },
  });
  assert.equal(status, 200, text);
  assert.match(text, /"action":"delete"/);
}

async function sameReply(one: Service, other: Service, path: string): Promise<void> {
  const [first, second] = await Promise.all([one.request(path), other.request(path)]);
  assert.equal(first.status, 200, first.text);
  // Links name the port.
  assert.equal(first.text.replaceAll(String(one.port), ''), second.text.replaceAll(String(other.port), ''));
}
