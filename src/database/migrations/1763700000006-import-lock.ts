import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable, insertRows } from './table-columns.js';

/** The row that locks out a second import at the same time. */
export class ImportLock1763700000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'import_lock',
      columns: [
        { name: 'id', type: 'integer', isPrimary: true },
        column.text('holder', 36, { isNullable: true }),
        column.optionalText('host', 255),
        column.integer('process', { default: '0' }),
        column.bigInteger('seen_at', { default: '0' }),
      ],
    });
    await insertRows(runner, 'import_lock (id) VALUES (1)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('import_lock');
  }
}
