import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { look } from '../support/embedded.js';
import { MariaDb } from '../support/mariadb.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runCommand } from '../support/service.js';
import { newFolder } from '../support/workshop.js';

const MIGRATE = 'database/migrate.command.js';
const SCHEMA =
  "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY 1, 2";

export const halfMigrated: Rule = {
  id: 'F18',
  title: 'embedded migration killed half-way, or two started at once',
  limit: 180_000,
  async run({ short }) {
    const fresh = await Service.start();
    await fresh.stop();
    const whole = look(fresh.databaseUrl, (handle) => handle.prepare(SCHEMA).all());
    const { ms: took } = await runCommand(MIGRATE, [], `sqlite:${join(newFolder(), 'prices.sqlite')}`);

    const rounds = short ? 6 : 30;
    let half = 0;
    for (let round = 0; round < rounds; round++) {
      const databaseUrl = `sqlite:${join(newFolder(), 'prices.sqlite')}`;
      // The last part of the command's life is the migration; the first is the loading of its code.
      await runCommand(MIGRATE, [], databaseUrl, { killAfter: took * (0.5 + 0.6 * Math.random()) });
      try {
        const tables = look(databaseUrl, (handle) => handle.prepare(SCHEMA).all());
        if (tables.length > 0 && tables.length < whole.length) half++;
      } catch {
        // It was killed before there was a file.
      }
      const { code, output } = await runCommand(MIGRATE, [], databaseUrl);
      assert.equal(code, 0, output);
      assert.deepEqual(
        look(databaseUrl, (handle) => handle.prepare(SCHEMA).all()),
        whole,
      );
    }
    assert.equal(half, 0, 'A kill has left half a schema.');

    const databaseUrl = `sqlite:${join(newFolder(), 'prices.sqlite')}`;
    const both = await Promise.all([Service.launch({ databaseUrl }), Service.launch({ databaseUrl })]);
    const ready = await Promise.all(both.map((service) => service.ready(10_000)));
    assert.deepEqual(
      look(databaseUrl, (handle) => handle.prepare(SCHEMA).all()),
      whole,
    );
    await Promise.all(both.map((service) => service.stop()));
    return { rounds, 'two at once, ready after ms': ms(Math.max(...ready)) };
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
  title: 'MariaDB migration killed half-way, or two started at once',
  needsMariadb: true,
  limit: 240_000,
  async run({ short }) {
    const server = await MariaDb.start();
    const urlOf = (name: string) => server.url.replace('/prices', `/${name}`);
    const schemaOf = async (name: string) => [
      ...(await Promise.all(
        [TABLES, INDEXES, KEYS].map((sql) => server.query(sql.replaceAll('SCHEMA_NAME', name))),
      )),
      await server.query(ROWS, name),
    ];
    const { ms: took } = await runCommand(MIGRATE, [], server.url);
    const whole = await schemaOf('prices');

    const rounds = short ? 3 : 12;
    let half = 0;
    let refused = 0;
    for (let round = 0; round < rounds; round++) {
      const name = `half${round}`;
      await server.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
      await runCommand(MIGRATE, [], urlOf(name), { killAfter: took * (0.5 + 0.45 * Math.random()) });
      const count = await server.query<{ n: number }>(
        `SELECT COUNT(*) AS n FROM information_schema.tables WHERE table_schema = '${name}' AND table_name <> 'schema_lock'`,
      );
      const left = Number(count[0]!.n);
      if (
        left > 0 &&
        left < new Set((whole[0] as { table_name: string }[]).map((row) => row.table_name)).size
      ) {
        half++;
        // Nothing is served from half a schema.
        const service = await Service.launch({ databaseUrl: urlOf(name) });
        assert.equal(await service.end(8000), 1, service.tail());
        assert.match(service.output, /run `npm run migrate`/);
        refused++;
      }
      const again = await runCommand(MIGRATE, [], urlOf(name));
      assert.equal(again.code, 0, again.output);
      assert.deepEqual(await schemaOf(name), whole);
    }

    await server.query('CREATE DATABASE twice CHARACTER SET utf8mb4');
    const both = await Promise.all([1, 2, 3].map(() => runCommand(MIGRATE, [], urlOf('twice'))));
    for (const { code, output } of both) assert.equal(code, 0, output);
    assert.deepEqual(await schemaOf('twice'), whole);
    await sleep(0);
    await server.stop();
    return { rounds, 'left half': half, 'half refused': refused };
  },
};
