import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, addColumn, createTable } from './table-columns.js';

/** Which change sets revert others, and which points imports have merely repeated. */
export class Reverts1763900000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    for (const name of ['reverts', 'reverted_by'])
      await addColumn(runner, 'change_set', column.integer(name, { isNullable: true }));
    const key = (name: string) => column.integer(name, { isPrimary: true });
    await createTable(runner, {
      name: 'repeated_points',
      columns: [key('serie_id'), key('change_set_id'), key('first_day'), column.integer('last_day')],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('repeated_points');
    for (const name of ['reverts', 'reverted_by']) await runner.dropColumn('change_set', name);
  }
}
