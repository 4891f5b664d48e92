import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, addColumn } from './table-columns.js';

/** The oldest release that may write to the schema. */
export class OldestWriter1763700000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await addColumn(runner, 'data_revision', column.bigInteger('oldest_writer', { default: '0' }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE data_revision DROP COLUMN oldest_writer');
  }
}
