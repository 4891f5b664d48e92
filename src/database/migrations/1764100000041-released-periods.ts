import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable } from './table-columns.js';

/**
 * When the values of periods were first stored. Sources are not referenced by a foreign key: a
 * source that nothing else needs may be deleted.
 */
export class ReleasedPeriods1764100000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'released_period',
      columns: [
        column.integer('source_id', { isPrimary: true }),
        column.text('iso3_country_code', 3, { isPrimary: true }),
        column.integer('period', { isPrimary: true }),
        column.integer('end_day', { isPrimary: true }),
        column.integer('stored_day'),
      ],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('released_period');
  }
}
