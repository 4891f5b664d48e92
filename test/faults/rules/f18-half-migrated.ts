import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, pathOf } from '../support/embedded.js';
import { MariaDb } from '../support/mariadb.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';
import { createFolder } from '../support/resources.js';

const MIGRATE = 'migrate';
const SCHEMA =
  "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY 1, 2";

export const halfMigrated: Rule = {
  id: 'F18',
  title: 'embedded migration killed half-way, and two at once',
  timeoutMs: 180_000,
  async run({ short }) {
    const fresh = await Service.start();
    await fresh.stop();
    const whole = inspect(fresh.databaseUrl, (handle) => handle.prepare(SCHEMA).all());
    const { ms: took } = await runBuiltCommand(
      MIGRATE,
      [],
      `sqlite:${join(createFolder(), 'prices.sqlite')}`,
    );

    const rounds = short ? 6 : 30;
    let killed = 0;
    // The command first loads its code; the migration runs at the end.
    let delay = 0.8 * took;
    let round = 0;
    // More rounds until a kill has come between the creation of the file and the commit.
    for (; round < rounds || (killed === 0 && round < 4 * rounds); round++) {
      const databaseUrl = `sqlite:${join(createFolder(), 'prices.sqlite')}`;
      await runBuiltCommand(MIGRATE, [], databaseUrl, { killAfter: delay * (0.9 + 0.2 * Math.random()) });
      if (existsSync(pathOf(databaseUrl))) {
        const tables = inspect(databaseUrl, (handle) => handle.prepare(SCHEMA).all());
        assert.ok([0, whole.length].includes(tables.length), 'A kill has left an incomplete schema.');
        if (tables.length === 0) killed++;
        else delay *= 0.9;
      } else delay *= 1.1;
      const { code, output } = await runBuiltCommand(MIGRATE, [], databaseUrl);
      assert.equal(code, 0, output);
      assert.deepEqual(
        inspect(databaseUrl, (handle) => handle.prepare(SCHEMA).all()),
        whole,
      );
    }
    assert.ok(killed > 0, `None of ${round} kills met the migration.`);

    const databaseUrl = `sqlite:${join(createFolder(), 'prices.sqlite')}`;
    const both = await Promise.all([Service.launch({ databaseUrl }), Service.launch({ databaseUrl })]);
    const ready = await Promise.all(both.map((service) => service.waitUntilReady(10_000)));
    assert.deepEqual(
      inspect(databaseUrl, (handle) => handle.prepare(SCHEMA).all()),
      whole,
    );
    await Promise.all(both.map((service) => service.stop()));
    return {
      rounds: round,
      'killed before the commit': killed,
      'two at once, ready after ms': ms(Math.max(...ready)),
    };
  },
};

const TABLES = `SELECT table_name, column_name, column_type, is_nullable, column_default, collation_name FROM information_schema.columns
  WHERE table_schema = 'SCHEMA_NAME' AND table_name <> 'schema_lock' ORDER BY 1, ordinal_position`;
const INDEXES = `SELECT table_name, index_name, column_name, non_unique FROM information_schema.statistics
  WHERE table_schema = 'SCHEMA_NAME' AND table_name <> 'schema_lock' ORDER BY 1, 2, seq_in_index`;
const KEYS = `SELECT table_name, constraint_name, delete_rule, update_rule FROM information_schema.referential_constraints
  WHERE constraint_schema = 'SCHEMA_NAME' ORDER BY 1, 2`;
const ROWS =
  'SELECT (SELECT GROUP_CONCAT(name ORDER BY id) FROM price_type) AS types, (SELECT COUNT(*) FROM data_revision) AS revisions';

export const halfMigratedServer: Rule = {
  id: 'F18D',
  title: 'MariaDB migration killed half-way, and several at once',
  needsMariadb: true,
  timeoutMs: 240_000,
  async run({ short }) {
    const server = await MariaDb.start();
    const urlOf = (name: string) => server.url.replace('/prices', `/${name}`);
    const schemaOf = async (name: string) => [
      ...(await Promise.all(
        [TABLES, INDEXES, KEYS].map((sql) => server.query(sql.replaceAll('SCHEMA_NAME', name))),
      )),
      await server.query(ROWS, name),
    ];
    const { ms: took } = await runBuiltCommand(MIGRATE, [], server.url);
    const whole = await schemaOf('prices');

    const rounds = short ? 3 : 12;
    let half = 0;
    let round = 0;
    // More rounds until a kill has met a migration part way.
    for (; round < rounds || (half === 0 && round < 4 * rounds); round++) {
      const name = `half${round}`;
      await server.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
      await runBuiltCommand(MIGRATE, [], urlOf(name), { killAfter: took * (0.5 + 0.45 * Math.random()) });
      const count = await server.query<{ n: number }>(
        `SELECT COUNT(*) AS n FROM information_schema.tables WHERE table_schema = '${name}' AND table_name <> 'schema_lock'`,
      );
      const left = Number(count[0]!.n);
      if (
        left > 0 &&
        left < new Set((whole[0] as { table_name: string }[]).map((row) => row.table_name)).size
      ) {
        half++;
        // An incomplete schema is never served.
        const service = await Service.launch({ databaseUrl: urlOf(name) });
        assert.equal(await service.waitForExit(8000), 1, service.tail());
        assert.match(service.output, /run `npm run migrate`/);
      }
      const again = await runBuiltCommand(MIGRATE, [], urlOf(name));
      assert.equal(again.code, 0, again.output);
      assert.deepEqual(await schemaOf(name), whole);
    }

    assert.ok(half > 0, `None of ${round} kills met a migration part way.`);

    await server.query('CREATE DATABASE twice CHARACTER SET utf8mb4');
    const both = await Promise.all([1, 2, 3].map(() => runBuiltCommand(MIGRATE, [], urlOf('twice'))));
    for (const { code, output } of both) assert.equal(code, 0, output);
    assert.deepEqual(await schemaOf('twice'), whole);
    await server.stop();
    return { rounds: round, 'left half, and rejected': half };
  },
};
