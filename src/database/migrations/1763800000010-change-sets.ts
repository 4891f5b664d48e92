import type { MigrationInterface, QueryRunner } from 'typeorm';
import { newMark } from '../revisions.js';
import { TableColumns, addColumn, createTable, insertRows } from './table-columns.js';

/**
 * Revisions and change sets. What was stored before belongs to one change set of kind `migration`,
 * and to the revision that the database has now.
 */
export class ChangeSets1763800000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    // An earlier release would write without change sets.
    await runner.query('UPDATE data_revision SET oldest_writer = 1763800000010');
    await createTable(runner, {
      name: 'change_set',
      columns: [
        column.id(),
        column.text('kind', 20),
        column.text('state', 20),
        column.instant('started_at'),
        column.instant('ended_at', { isNullable: true }),
        column.optionalText('input', 255),
        column.optionalText('format', 50),
        column.optionalText('digest', 64),
        column.optionalText('source', 200),
        column.optionalText('reason', 500),
        column.longText('counts', { isNullable: true }),
      ],
    });
    await createTable(runner, {
      name: 'revision',
      columns: [
        column.bigInteger('number', { isPrimary: true }),
        column.instant('at'),
        column.integer('change_set_id'),
        column.text('mark', 8),
      ],
      indices: [{ name: 'ix_revision_change_set', columnNames: ['change_set_id'] }],
    });
    const now = new Date().toISOString();
    await insertRows(
      runner,
      `change_set (id, kind, state, started_at, ended_at) VALUES (1, 'migration', 'done', '${now}', '${now}')`,
    );
    await insertRows(
      runner,
      `revision (number, at, change_set_id, mark) SELECT revision, '${now}', 1, '${newMark()}' FROM data_revision`,
    );
    await addColumn(runner, 'data_revision', column.instant('at', { default: "''" }));
    await runner.query(`UPDATE data_revision SET \`at\` = '${now}' WHERE \`at\` = ''`);
    await addColumn(runner, 'audit_log', column.integer('change_set_id', { isNullable: true }));
    await addColumn(runner, 'import_lock', column.integer('change_set_id', { isNullable: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['import_lock', 'audit_log']) await runner.dropColumn(table, 'change_set_id');
    await runner.dropColumn('data_revision', 'at');
    for (const table of ['revision', 'change_set']) await runner.dropTable(table);
  }
}
