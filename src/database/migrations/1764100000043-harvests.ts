import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable, foreignKey } from './table-columns.js';

/** The sources that are fetched by a schedule, and what became of it. */
export class Harvests1764100000043 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'harvest',
      columns: [
        column.id(),
        column.text('name', 50),
        column.text('address', 2000),
        column.optionalText('header', 300),
        column.optionalText('secret', 1000),
        column.text('format', 50),
        column.longText('options'),
        column.optionalText('source', 200),
        column.text('schedule', 100),
        column.text('time_zone', 50),
        column.optionalText('owner', 200),
        column.flag('enabled', true),
        column.instant('next_run_at', { isNullable: true }),
        column.optionalText('etag', 500),
        column.optionalText('last_modified', 100),
        column.optionalText('digest', 64),
        column.integer('mapping_version', { isNullable: true }),
        column.version(),
      ],
      indices: [{ name: 'uq_harvest', columnNames: ['name'], isUnique: true }],
    });
    await createTable(runner, {
      name: 'harvest_run',
      columns: [
        column.id(),
        column.integer('harvest_id'),
        column.text('state', 11),
        column.integer('attempt'),
        column.instant('due_at'),
        column.instant('not_before'),
        column.instant('started_at', { isNullable: true }),
        column.instant('ended_at', { isNullable: true }),
        column.bigInteger('bytes', { isNullable: true }),
        column.longText('counts', { isNullable: true }),
        column.integer('change_set_id', { isNullable: true }),
        column.optionalText('error', 500),
      ],
      indices: [
        { name: 'ix_harvest_run_harvest', columnNames: ['harvest_id', 'id'] },
        { name: 'ix_harvest_run_state', columnNames: ['state', 'not_before'] },
      ],
      foreignKeys: [foreignKey('harvest_run', 'harvest_id', 'harvest')],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['harvest_run', 'harvest']) await runner.dropTable(table);
  }
}
