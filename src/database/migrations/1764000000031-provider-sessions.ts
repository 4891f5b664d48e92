import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable } from './table-columns.js';

/** Sessions of the desk of accounts of an identity provider, which have no row in `account`. */
export class ProviderSessions1764000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'provider_session',
      columns: [
        column.text('digest', 43, { isPrimary: true }),
        column.text('id', 36),
        column.text('issuer', 255),
        column.text('subject', 255),
        column.text('role', 20),
        column.instant('expires_at'),
      ],
      indices: [{ name: 'ix_provider_session_expires_at', columnNames: ['expires_at'] }],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('provider_session');
  }
}
