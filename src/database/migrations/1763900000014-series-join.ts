import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable } from './table-columns.js';

/** Which series show the points of others, and since which revision. */
export class SeriesJoin1763900000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'series_join',
      columns: [
        column.id(),
        column.integer('from_id'),
        column.integer('into_id'),
        column.number('factor'),
        column.text('prefer', 4),
        column.integer('start_day', { isNullable: true }),
        column.integer('end_day', { isNullable: true }),
        column.integer('change_set_id'),
        column.integer('since', { default: '0' }),
        column.integer('until', { isNullable: true }),
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('series_join');
  }
}
