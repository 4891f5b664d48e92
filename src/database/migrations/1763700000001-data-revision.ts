import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable, insertRows } from './table-columns.js';

/** The data revision (one row) and the audit log. */
export class DataRevision1763700000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'data_revision',
      columns: [
        { name: 'id', type: 'integer', isPrimary: true },
        column.bigInteger('revision'),
        column.bigInteger('reference_revision'),
        column.bigInteger('series_revision'),
        column.bigInteger('rates_revision'),
      ],
    });
    await insertRows(
      runner,
      'data_revision (id, revision, reference_revision, series_revision, rates_revision) VALUES (1, 1, 1, 1, 1)',
    );
    await createTable(runner, {
      name: 'audit_log',
      columns: [
        column.id(),
        column.instant('at'),
        column.integer('account_id', { isNullable: true }),
        column.optionalText('token_id', 64),
        column.optionalText('request_id', 64),
        column.text('table_name', 50),
        column.bigInteger('record_id', { isNullable: true }),
        column.text('action', 20),
        column.longText('before', { isNullable: true }),
        column.longText('after', { isNullable: true }),
      ],
      indices: [{ name: 'ix_audit_log_record', columnNames: ['table_name', 'record_id'] }],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('audit_log');
    await runner.dropTable('data_revision');
  }
}
