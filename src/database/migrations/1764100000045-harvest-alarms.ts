import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, addColumn } from './table-columns.js';

/** Findings about harvests, whose scope is longer than others, and when files are expected. */
export class HarvestAlarms1764100000045 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    for (const name of ['expected_interval', 'expected_lag'])
      await addColumn(runner, 'harvest', column.optionalText(name, 5));
    // An earlier release would not expect the scope, and replies with findings of these rules.
    await runner.query('UPDATE data_revision SET oldest_writer = 1764100000045');
    await resizeScope(runner, 7);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM finding WHERE scope = 'harvest'");
    await resizeScope(runner, 6);
    for (const name of ['expected_lag', 'expected_interval']) await runner.dropColumn('harvest', name);
  }
}

/**
 * Gives the column another length. SQLite cannot change a column in place, and TypeORM would copy
 * the table, after which ids of deleted rows are used again: the column is replaced.
 */
async function resizeScope(runner: QueryRunner, length: number): Promise<void> {
  const type = `varchar(${length})`;
  if (runner.dataSource.options.type !== 'better-sqlite3') {
    await runner.query(
      `ALTER TABLE finding MODIFY scope ${type} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT ''`,
    );
    return;
  }
  await runner.query(`ALTER TABLE finding ADD COLUMN resized_scope ${type} NOT NULL DEFAULT ''`);
  await runner.query('UPDATE finding SET resized_scope = scope');
  await runner.query('ALTER TABLE finding DROP COLUMN scope');
  await runner.query('ALTER TABLE finding RENAME COLUMN resized_scope TO scope');
}
