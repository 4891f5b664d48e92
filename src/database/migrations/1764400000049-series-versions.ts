import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { TableColumns, createTable, insertRows } from './table-columns.js';

/** The columns of a row of versions, from before there were those of series. */
const COLUMNS = 'table_name, record_id, until, since, version, attributes';
const WITH_KEY = `record_key, ${COLUMNS}`;

const NUMBERS = [
  ...['commodity_id', 'price_type_id', 'market_id', 'source_id', 'measure_unit_id'],
  ...['marked_periods', 'status'],
];
const ATTRIBUTES = [...NUMBERS, 'currency'];

/**
 * What series and their further uuids were is stored with what all other records were. The tables
 * that had it stay as they are: earlier releases, which may not write any more, go on reading them.
 * Every step that was done before an interruption is skipped.
 */
export class SeriesVersions1764400000049 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // An earlier release would store versions where this one does not read them.
    await runner.query('UPDATE data_revision SET oldest_writer = 1764400000049');
    if (!(await runner.hasColumn('record_version', 'record_key'))) await addKey(runner);
    const index = new TableIndex({ name: 'ix_record_version_key', columnNames: ['record_key'] });
    const table = await runner.getTable('record_version');
    if (!table!.indices.some(({ name }) => name === index.name))
      await runner.createIndex('record_version', index);
    const attributes = ATTRIBUTES.map((column) => `'${column}', ${column}`).join(', ');
    await insertRows(
      runner,
      `record_version (${WITH_KEY}) SELECT uuid, 'price_serie', id, until, since, 0,` +
        ` JSON_OBJECT(${attributes}) FROM price_serie_version`,
    );
    await insertRows(
      runner,
      `record_version (${WITH_KEY}) SELECT uuid, 'series_alias', serie_id, until, since, 0, '{}'` +
        ' FROM series_alias_version',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const numbers = NUMBERS.map((column) => `CAST(JSON_EXTRACT(attributes, '$.${column}') AS SIGNED)`);
    await insertRows(
      runner,
      `price_serie_version (uuid, id, until, since, ${ATTRIBUTES.join(', ')})` +
        ` SELECT record_key, record_id, until, since, ${numbers.join(', ')},` +
        " REPLACE(JSON_EXTRACT(attributes, '$.currency'), '\"', '')" +
        " FROM record_version WHERE table_name = 'price_serie'",
    );
    await insertRows(
      runner,
      'series_alias_version (uuid, serie_id, until, since) SELECT record_key, record_id, until, since' +
        " FROM record_version WHERE table_name = 'series_alias'",
    );
    await runner.query("DELETE FROM record_version WHERE table_name IN ('price_serie', 'series_alias')");
    await runner.dropIndex('record_version', 'ix_record_version_key');
    if (isEmbedded(runner)) return replaceTable(runner, []);
    await runner.query(
      'ALTER TABLE record_version DROP PRIMARY KEY, DROP COLUMN record_key,' +
        ' ADD PRIMARY KEY (table_name, record_id, until)',
    );
  }
}

const isEmbedded = (runner: QueryRunner) => runner.dataSource.options.type === 'better-sqlite3';

/** Several further uuids of one series may go in one revision. */
async function addKey(runner: QueryRunner): Promise<void> {
  const key = new TableColumns(runner).text('record_key', 36, { isPrimary: true, default: "''" });
  if (isEmbedded(runner)) return replaceTable(runner, [key]);
  await runner.query(
    "ALTER TABLE record_version ADD COLUMN record_key varchar(36) COLLATE utf8mb4_bin NOT NULL DEFAULT ''," +
      ' DROP PRIMARY KEY, ADD PRIMARY KEY (table_name, record_id, until, record_key)',
  );
}

/** SQLite cannot change a primary key: the rows move to a new table. */
async function replaceTable(runner: QueryRunner, more: ReturnType<TableColumns['text']>[]): Promise<void> {
  const column = new TableColumns(runner);
  await createTable(runner, {
    name: 'record_version_new',
    columns: [
      column.text('table_name', 50, { isPrimary: true }),
      column.integer('record_id', { isPrimary: true }),
      column.integer('until', { isPrimary: true }),
      ...more,
      column.since(),
      column.integer('version'),
      column.longText('attributes'),
    ],
    withoutRowid: true,
  });
  await runner.query(`INSERT INTO record_version_new (${COLUMNS}) SELECT ${COLUMNS} FROM record_version`);
  await runner.query('DROP TABLE record_version');
  await runner.query('ALTER TABLE record_version_new RENAME TO record_version');
}
