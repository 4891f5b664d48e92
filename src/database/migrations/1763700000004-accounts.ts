import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable, foreignKey } from './table-columns.js';

/** Accounts, login sessions, refresh tokens, and the attempts that the throttles count. */
export class Accounts1763700000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'account',
      columns: [
        column.id(),
        column.text('username', 150),
        column.text('password_hash', 200),
        column.text('role', 20),
        column.flag('enabled', true),
        column.instant('created_at'),
        column.instant('password_changed_at'),
        column.instant('last_login_at', { isNullable: true }),
      ],
      indices: [{ name: 'uq_account', columnNames: ['username'], isUnique: true }],
    });
    await createTable(runner, {
      name: 'login_session',
      columns: [
        column.text('id', 36, { isPrimary: true }),
        column.integer('account_id'),
        column.instant('created_at'),
        column.instant('used_at'),
        column.instant('expires_at'),
        column.instant('ended_at', { isNullable: true }),
      ],
      indices: [
        { name: 'ix_login_session_account', columnNames: ['account_id'] },
        { name: 'ix_login_session_expires_at', columnNames: ['expires_at'] },
      ],
      foreignKeys: [foreignKey('login_session', 'account_id', 'account')],
    });
    await createTable(runner, {
      name: 'refresh_token',
      columns: [
        column.text('digest', 43, { isPrimary: true }),
        column.text('session_id', 36),
        column.instant('expires_at'),
        column.instant('spent_at', { isNullable: true }),
      ],
      indices: [
        { name: 'ix_refresh_token_session', columnNames: ['session_id'] },
        { name: 'ix_refresh_token_expires_at', columnNames: ['expires_at'] },
      ],
      foreignKeys: [foreignKey('refresh_token', 'session_id', 'login_session')],
    });
    await createTable(runner, {
      name: 'auth_attempt',
      columns: [
        column.id(),
        column.text('kind', 10),
        column.text('network', 50),
        column.text('name_digest', 43),
        column.instant('at'),
      ],
      indices: [
        { name: 'ix_auth_attempt_network', columnNames: ['network', 'at'] },
        { name: 'ix_auth_attempt_at', columnNames: ['at'] },
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['auth_attempt', 'refresh_token', 'login_session', 'account']) {
      await runner.dropTable(table);
    }
  }
}
