import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable } from './table-columns.js';

/** Steps of series by powers of ten, by which redenominations of currencies are found. */
export class SeriesSteps1764000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'series_step',
      columns: [
        column.integer('serie_id', { isPrimary: true }),
        column.integer('day', { isPrimary: true }),
        column.number('value'),
        column.number('previous'),
      ],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('series_step');
  }
}
