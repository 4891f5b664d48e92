import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../ledger/audit/audit-trail.js';
import { Environment } from '../../config/environment.js';
import { Database } from '../../database/database.js';
import type { Reads } from '../../database/reads.js';
import { type Transaction, UnitOfWork } from '../../ledger/unit-of-work.js';
import { Clock, instantText } from '../../platform/clock/clock.js';
import { LastAdmin, NotFound } from '../../platform/errors/api-error.js';
import { checkPreconditions, digestTag, type Preconditions } from '../../platform/http/etag.js';
import type { Caller } from '../../platform/http/caller.js';
import { rowLock } from '../row-lock.js';
import { SecurityLog } from '../security-log.js';
import { Account } from './account.entity.js';
import type { AccountPatchDto } from './account.dto.js';
import { AUDITED_COLUMNS } from './accounts.js';
import { endAccess } from './end-access.js';
import { accountsWithoutPassword } from './no-password.js';
import { type Role, roles } from '../../platform/http/routes.js';
import { ApiSchema, OrNull } from '../../platform/validation/field.js';
import { Flag, Id, Instant, OneOf, Text } from '../../platform/validation/fields.js';
import { columnsOf } from '../../platform/formats/columns.js';

/** An account as admins see it: all but the hash of its password. */
@ApiSchema()
export class AccountRecord implements Omit<Account, 'password_hash'> {
  @Id() id!: number;
  @Text() username!: string;
  @OneOf(roles) role!: Role;
  @Flag({ description: 'Whether it can log in and write' }) enabled!: boolean;
  @Instant() created_at!: string;
  @Instant() password_changed_at!: string;
  @OrNull(Instant()) last_login_at!: string | null;
}

export const accountColumns = columnsOf(AccountRecord);

const SELECT_ACCOUNTS = `SELECT ${accountColumns.map(({ name }) => name).join(', ')} FROM account ORDER BY id`;

/** The entity tag of an account, without quotes. */
export const accountTag = (account: AccountRecord): string => digestTag(JSON.stringify(account));

/** Who changes an account, and until when. */
export interface AccountEditor {
  caller: Caller;
  requestId: string;
  deadline: number;
}

/**
 * Lists accounts, and changes their role or access, for admins. `Invitations` and `Accounts` create
 * accounts and set passwords.
 */
@Injectable()
export class AccountRecords {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly environment: Environment,
    private readonly log: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** All accounts, by id: as many as there are people who write. */
  list(): Promise<AccountRecord[]> {
    return selectAccounts(this.database);
  }

  /** @throws NotFound */
  async read(id: number): Promise<AccountRecord> {
    return accountWithId(await this.list(), id);
  }

  /**
   * Changes the role of an account, or enables or disables it. Disabling ends its sessions, their
   * access tokens and its invitation at once.
   * @throws NotFound, PreconditionFailed, PreconditionRequired, LastAdmin if no enabled admin would
   * be left who has a password
   */
  async update(
    id: number,
    changes: AccountPatchDto,
    conditions: Preconditions,
    { caller, requestId, deadline }: AccountEditor,
  ): Promise<AccountRecord> {
    const { before, after } = await this.unitOfWork.run(async (transaction) => {
      // All are locked: two admins who disable each other must not both succeed.
      const accounts = await selectAccounts(transaction, rowLock(transaction));
      const before = accountWithId(accounts, id);
      checkPreconditions(conditions, () => accountTag(before), this.environment.strictWrites);
      const after: AccountRecord = { ...before, ...changes };
      await assertAdminLeft(
        transaction,
        accounts.map((account) => (account.id === id ? after : account)),
      );
      const { role, enabled } = after;
      await transaction.manager.update(Account, id, { role, enabled });
      if (before.enabled && !enabled) await endAccess(transaction, id, instantText(this.clock.now()));
      await this.audit.record(transaction, {
        caller,
        requestId,
        table: 'account',
        recordId: id,
        action: 'update',
        columns: AUDITED_COLUMNS,
        before: { ...before },
        after: { ...after },
      });
      return { before, after };
    }, deadline);
    this.logChanges(before, after, requestId);
    return after;
  }

  private logChanges(before: AccountRecord, after: AccountRecord, requestId: string): void {
    const { username } = after;
    if (before.enabled !== after.enabled)
      this.log.write(after.enabled ? 'account_enabled' : 'account_disabled', { username, requestId });
    if (before.role !== after.role) this.log.write('role_changed', { username, requestId });
  }
}

/**
 * Somebody has to be able to log in and invite others.
 * @param accounts all of them, as they would be
 * @throws LastAdmin
 */
async function assertAdminLeft(transaction: Transaction, accounts: readonly AccountRecord[]): Promise<void> {
  const withoutPassword = await accountsWithoutPassword(transaction);
  const canAdminister = ({ id, role, enabled }: AccountRecord) =>
    role === 'admin' && enabled && !withoutPassword.has(id);
  if (!accounts.some(canAdminister)) throw new LastAdmin();
}

async function selectAccounts(reads: Pick<Reads, 'rows'>, lock = ''): Promise<AccountRecord[]> {
  const rows = await reads.rows<AccountRecord>(SELECT_ACCOUNTS + lock);
  return rows.map((row) => ({ ...row, enabled: Boolean(row.enabled) }));
}

function accountWithId(accounts: readonly AccountRecord[], id: number): AccountRecord {
  const account = accounts.find((one) => one.id === id);
  if (account === undefined) throw new NotFound('There is no such account.');
  return account;
}
