import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../ledger/audit/audit-trail.js';
import { Environment } from '../../config/environment.js';
import { Database } from '../../database/database.js';
import type { Reads } from '../../database/reads.js';
import { UnitOfWork } from '../../ledger/unit-of-work.js';
import { Clock, instantText } from '../../platform/clock/clock.js';
import { LastAdmin, NotFound } from '../../platform/errors/api-error.js';
import { checkPreconditions, digestTag, type Preconditions } from '../../platform/http/etag.js';
import type { Caller } from '../../platform/http/caller.js';
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

const SELECT = `SELECT ${accountColumns.map(({ name }) => name).join(', ')} FROM account ORDER BY id`;

/** The entity tag of an account, without quotes. */
export const accountTag = (account: AccountRecord): string => digestTag(JSON.stringify(account));

/** Who changes an account, and until when. */
export interface AccountEditor {
  caller: Caller;
  requestId: string;
  deadline: number;
}

/** Accounts as records, for admins. New ones and passwords: see `Accounts` and `Invitations`. */
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
    return find(await this.list(), id);
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
      const accounts = await selectAccounts(transaction, transaction.embedded ? '' : ' FOR UPDATE');
      const before = find(accounts, id);
      checkPreconditions(conditions, () => accountTag(before), this.environment.strictWrites);
      const after: AccountRecord = { ...before, ...changes };
      const unusable = await accountsWithoutPassword(transaction);
      const usable = accounts.filter((account) => !unusable.has(account.id));
      if (!usable.some((account) => isActiveAdmin(account.id === id ? after : account)))
        throw new LastAdmin();
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
    const { username } = after;
    if (before.enabled !== after.enabled)
      this.log.write(after.enabled ? 'account_enabled' : 'account_disabled', { username, requestId });
    if (before.role !== after.role) this.log.write('role_changed', { username, requestId });
    return after;
  }
}

const isActiveAdmin = ({ role, enabled }: AccountRecord) => role === 'admin' && enabled;

async function selectAccounts(reads: Pick<Reads, 'rows'>, lock = ''): Promise<AccountRecord[]> {
  const rows = await reads.rows<AccountRecord>(SELECT + lock);
  return rows.map((row) => ({ ...row, enabled: Boolean(row.enabled) }));
}

function find(accounts: readonly AccountRecord[], id: number): AccountRecord {
  const account = accounts.find((one) => one.id === id);
  if (account === undefined) throw new NotFound('There is no such account.');
  return account;
}
