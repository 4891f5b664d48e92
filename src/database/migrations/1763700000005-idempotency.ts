import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable } from './table-columns.js';

/** Stored replies to POST requests with an `Idempotency-Key`. */
export class Idempotency1763700000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'idempotency_key',
      columns: [
        column.text('digest', 43, { isPrimary: true }),
        column.optionalText('body_digest', 43),
        column.instant('expires_at'),
        column.longText('answer', { isNullable: true }),
      ],
      indices: [{ name: 'ix_idempotency_key_expires_at', columnNames: ['expires_at'] }],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('idempotency_key');
  }
}
