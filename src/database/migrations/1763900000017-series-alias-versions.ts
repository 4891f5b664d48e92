import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable } from './table-columns.js';

/** Other uuids that series had, which the revert of a revert brings back. */
export class SeriesAliasVersions1763900000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'series_alias_version',
      columns: [
        column.text('uuid', 36, { isPrimary: true }),
        column.integer('until', { isPrimary: true }),
        column.integer('serie_id'),
        column.integer('since', { default: '0' }),
      ],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('series_alias_version');
  }
}
