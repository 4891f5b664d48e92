import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, addColumn } from './table-columns.js';

/** Issuer and subject of the identity provider's accounts in the audit log. */
export class AuditSubject1763700000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await addColumn(runner, 'audit_log', column.optionalText('issuer', 255));
    await addColumn(runner, 'audit_log', column.optionalText('subject', 255));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_log DROP COLUMN issuer');
    await runner.query('ALTER TABLE audit_log DROP COLUMN subject');
  }
}
