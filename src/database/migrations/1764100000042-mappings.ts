import type { MigrationInterface, QueryRunner, TableColumnOptions } from 'typeorm';
import { TableColumns, createTable } from './table-columns.js';

/** Import formats that maintainers have described, and what they were before. */
export class Mappings1764100000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    const saved = (): TableColumnOptions[] => [
      column.text('name', 50),
      column.integer('version'),
      column.optionalText('title', 200),
      column.text('table_name', 50),
      column.instant('saved_at'),
      column.integer('change_set_id'),
      column.longText('content'),
      column.longText('content_end'),
    ];
    await createTable(runner, {
      name: 'mapping',
      columns: [column.id(), ...saved()],
      indices: [{ name: 'uq_mapping', columnNames: ['name'], isUnique: true }],
    });
    await createTable(runner, {
      name: 'mapping_version',
      columns: [column.id(), ...saved(), column.instant('ended_at')],
      indices: [{ name: 'uq_mapping_version', columnNames: ['name', 'version'], isUnique: true }],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('mapping_version');
    await runner.dropTable('mapping');
  }
}
