import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable } from './table-columns.js';

/** What maintainers have set, added or removed, so that imports do not undo it. */
export class Corrections1763900000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'correction',
      columns: [
        column.id(),
        column.text('state', 10),
        column.text('table_name', 50),
        column.integer('serie_id', { isNullable: true }),
        { name: 'period', type: 'tinyint', isNullable: true },
        column.integer('day'),
        column.integer('record_id', { isNullable: true }),
        column.optionalText('record_key', 200),
        column.flag('calculated'),
        column.number('base_value', { isNullable: true }),
        column.text('base_comment', 500, { isNullable: true }),
        column.integer('base_since', { default: '0' }),
        column.number('value', { isNullable: true }),
        column.text('comment', 500, { isNullable: true }),
        column.integer('change_set_id'),
        column.integer('since', { default: '0' }),
        column.integer('ended_change_set_id', { isNullable: true }),
        column.integer('until', { isNullable: true }),
      ],
      indices: [
        { name: 'ix_correction_point', columnNames: ['state', 'serie_id', 'period', 'day'] },
        { name: 'ix_correction_record', columnNames: ['state', 'table_name', 'record_key'] },
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('correction');
  }
}
