import { migrations, versionOf } from '../../src/database/migrations/index.js';
import { driverStatements } from '../support/driver-statements.js';
import { openDatabase } from '../support/open-database.js';

/** Migrations that change nothing on a server. */
const EMBEDDED_ONLY = ['PartialCorrectionIndices1764000000033'];
/** Migrations that change nothing of an empty database. */
const DATA_ONLY = ['CountryNames1764000000035'];
/** The last migration before releases could run on newer schemas. */
const LAST_UNCHECKED = 1763700000006;

describe('migrations', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => (opened = await openDatabase()));
  afterAll(() => opened.close());

  it('create exactly the schema of the entities', async () => {
    const log = await opened.database.writer.driver.createSchemaBuilder().log();
    expect(log.upQueries.map((query) => query.query)).toEqual([]);
  });

  it('create the price types with the ids that clients rely on, and new ones from 18 on', async () => {
    await opened.unitOfWork.run((transaction) =>
      transaction.execute("INSERT INTO price_type (name) VALUES ('FARM GATE')"),
    );
    expect(
      await opened.database.rows('SELECT id, name, description, version FROM price_type ORDER BY id'),
    ).toEqual([
      { id: 11, name: 'EXPORT', description: '', version: 1 },
      { id: 12, name: 'RETAIL', description: '', version: 1 },
      { id: 13, name: 'WHOLESALE', description: '', version: 1 },
      { id: 17, name: 'IMPORT', description: '', version: 1 },
      { id: 18, name: 'FARM GATE', description: '', version: 1 },
    ]);
  });

  it('can be reverted and run again', async () => {
    const source = opened.database.writer;
    for (let left = source.migrations.length; left > 0; left--)
      await source.undoLastMigration({ transaction: 'each' });
    await source.runMigrations({ transaction: 'each' });
    expect(await opened.database.rows('SELECT revision FROM data_revision')).toEqual([{ revision: 1 }]);
  });

  const checked = migrations.filter(({ name }) => versionOf(name) > LAST_UNCHECKED);
  it.each(checked.map((Migration) => [Migration.name, Migration] as const))(
    'F19: %s only adds to the schema, or forbids earlier releases to write',
    async (_, Migration) => {
      const { database } = opened;
      const source = database.writer;
      const undo = migrations.length - migrations.indexOf(Migration);
      for (let left = undo; left > 0; left--) await source.undoLastMigration({ transaction: 'each' });
      const runner = source.createQueryRunner();
      const statements = await driverStatements(database, () => new Migration().up(runner));
      await new Migration().down(runner);
      await runner.release();
      const changes = statements.some((sql) => /^(ALTER|CREATE|UPDATE)/.test(sql));
      const changing = database.embedded || !EMBEDDED_ONLY.includes(Migration.name);
      expect(changes).toBe(changing && !DATA_ONLY.includes(Migration.name));
      expect(breakingStatements(statements)).toEqual([]);
      await source.runMigrations({ transaction: 'each' });
    },
  );
});

describe('F19: the check of migrations', () => {
  it.each([
    'ALTER TABLE `market` DROP COLUMN `info`',
    'ALTER TABLE "market" RENAME COLUMN "info" TO "text"',
    'ALTER TABLE `market` CHANGE `info` `info` varchar(20) NOT NULL',
    'ALTER TABLE `market` ADD `town` varchar(20) NOT NULL',
    'ALTER TABLE `market` ADD CONSTRAINT `fk_market` FOREIGN KEY (`id`) REFERENCES `unit`(`id`)',
    'CREATE UNIQUE INDEX "uq" ON "market" ("info")',
    'DROP INDEX "ix"',
    'DROP TABLE `market`',
    "UPDATE market SET info = ''",
  ])('finds %s', (sql) => {
    expect(breakingStatements([sql])).toEqual([sql]);
    const raised = 'UPDATE data_revision SET oldest_writer = 1763700000009';
    expect(breakingStatements([raised, sql])).toEqual([]);
    expect(breakingStatements([sql, raised])).toEqual([sql]);
  });

  it('allows tables, columns that may be left out, indexes that are new or replaced, and rows', () => {
    expect(
      breakingStatements([
        'CREATE TABLE "town" ("id" integer)',
        'CREATE UNIQUE INDEX "uq_town" ON "town" ("id")',
        'CREATE INDEX `ix` ON `market` (`info`)',
        'DROP INDEX "ix_type"',
        'CREATE INDEX "ix_type" ON "market" ("type") WHERE type = 1',
        "ALTER TABLE `market` ADD `town` varchar(20) NOT NULL DEFAULT ''",
        'ALTER TABLE "market" ADD COLUMN "town_id" integer',
        'INSERT INTO town (id) VALUES (1)',
      ]),
    ).toEqual([]);
  });
});

/**
 * The statements after which releases before the migration could not read or write as before. After
 * a statement that forbids them to write, all are allowed.
 */
function breakingStatements(statements: readonly string[]): string[] {
  const created = statements.flatMap((sql) => /^CREATE TABLE [`"]?(\w+)/.exec(sql)?.[1] ?? []);
  const replaced = statements.flatMap((sql) => /^CREATE INDEX [`"](\w+)/.exec(sql)?.[1] ?? []);
  const forbids = statements.findIndex((sql) => /^UPDATE data_revision SET oldest_writer = /.test(sql));
  return statements.slice(0, forbids === -1 ? undefined : forbids).filter((sql) => {
    const uniqueOn = /^CREATE UNIQUE INDEX .* ON [`"]?(\w+)/.exec(sql)?.[1];
    if (uniqueOn !== undefined) return !created.includes(uniqueOn);
    const dropped = /^DROP INDEX [`"](\w+)/.exec(sql)?.[1];
    if (dropped !== undefined) return !replaced.includes(dropped);
    if (/^(SELECT|SHOW|PRAGMA|INSERT|CREATE TABLE|CREATE INDEX)\b/.test(sql)) return false;
    const added = /^ALTER TABLE \S+ ADD (?:COLUMN )?[`"]\w+[`"] (.*)$/.exec(sql)?.[1];
    return added === undefined || (added.includes('NOT NULL') && !added.includes('DEFAULT'));
  });
}
