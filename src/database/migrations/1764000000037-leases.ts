import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable } from './table-columns.js';

/** What one process at a time may do, a row for each; those of imports and editions stay apart. */
export class Leases1764000000037 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'lease',
      columns: [
        { ...column.text('name', 100), isPrimary: true },
        column.text('holder', 36, { isNullable: true }),
        column.bigInteger('seen_at', { default: '0' }),
        column.longText('progress', { isNullable: true }),
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('lease');
  }
}
