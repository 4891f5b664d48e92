import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable } from './table-columns.js';

/** How far a mirror has read the change feed of the service that it copies. */
export class Mirror1763900000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'mirror',
      columns: [
        column.integer('id', { isPrimary: true }),
        column.text('address', 500),
        column.text('token', 300, { isNullable: true }),
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('mirror');
  }
}
