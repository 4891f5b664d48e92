import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable, foreignKey } from './table-columns.js';

/** Addresses at which the passwords of accounts are set. */
export class Invitations1764000000036 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'invitation',
      columns: [
        column.text('digest', 43, { isPrimary: true }),
        column.integer('account_id'),
        column.instant('expires_at'),
        column.instant('ended_at', { isNullable: true }),
      ],
      indices: [
        { name: 'ix_invitation_account', columnNames: ['account_id'] },
        { name: 'ix_invitation_expires_at', columnNames: ['expires_at'] },
      ],
      foreignKeys: [foreignKey('invitation', 'account_id', 'account')],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('invitation');
  }
}
