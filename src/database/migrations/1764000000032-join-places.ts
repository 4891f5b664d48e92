import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, addColumn } from './table-columns.js';

/** The places of joins in the service that a mirror copies. Unknown for those from before. */
export class JoinPlaces1764000000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await addColumn(runner, 'series_join', column.integer('source_place', { isNullable: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('series_join', 'source_place');
  }
}
