import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, addColumn, createTable, foreignKey } from './table-columns.js';

/** What a harvest's files may differ by, and the files that are held until somebody decides. */
export class HeldRuns1764100000044 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    for (const [name, percent] of [
      ['shrink_limit', '20'],
      ['reject_limit', '2'],
      ['change_limit', '10'],
    ] as const)
      await addColumn(runner, 'harvest', column.number(name, { default: percent }));
    await addColumn(runner, 'harvest', column.optionalText('held_digest', 80));
    for (const name of ['held', 'decision'])
      await addColumn(runner, 'harvest_run', column.longText(name, { isNullable: true }));
    await createTable(runner, {
      name: 'held_file',
      columns: [
        column.integer('run_id', { isPrimary: true }),
        column.text('name', 6, { isPrimary: true }),
        column.integer('part', { isPrimary: true }),
        column.longText('content'),
      ],
      foreignKeys: [foreignKey('held_file', 'run_id', 'harvest_run')],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('held_file');
    for (const name of ['decision', 'held']) await runner.dropColumn('harvest_run', name);
    for (const name of ['held_digest', 'change_limit', 'reject_limit', 'shrink_limit'])
      await runner.dropColumn('harvest', name);
  }
}
