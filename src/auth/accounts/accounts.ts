import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../ledger/audit/audit-trail.js';
import type { Caller } from '../../platform/http/caller.js';
import type { Role } from '../../platform/http/routes.js';
import { Clock, instantText } from '../../platform/clock/clock.js';
import { Database } from '../../database/database.js';
import { driverErrorKind } from '../../database/errors/driver-errors.js';
import { UnitOfWork, type Transaction } from '../../ledger/unit-of-work.js';
import { Account } from './account.entity.js';
import { endAccess } from './end-access.js';
import { NO_PASSWORD } from './no-password.js';
import { PasswordHasher } from './password-hasher.js';
import { passwordViolation } from './password-rules.js';
import { rowLock } from '../row-lock.js';
import { SecurityLog, type SecurityEvent } from '../security-log.js';
import type { TokenClaims } from '../tokens/token-claims.js';

/** 3 to 150 letters, digits and `@ . + - _`, as in Django, so that its users can be taken over. */
const USERNAME = /^[\p{L}\p{N}@.+_-]{3,150}$/u;

/** The columns that the audit trail records: never the password hash. */
export const AUDITED_COLUMNS = ['username', 'role', 'enabled', 'password_changed_at'] as const;
type AuditedAccount = Pick<Account, 'id' | (typeof AUDITED_COLUMNS)[number]>;

/** An account cannot be created or changed. The message is one sentence for the operator. */
export class AccountError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AccountError';
  }
}

/** The user accounts. Every change is recorded in the audit trail. */
@Injectable()
export class Accounts {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly hasher: PasswordHasher,
    private readonly log: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** Case-sensitive. */
  async findByUsername(username: string): Promise<Account | null> {
    const rows = await this.database.rows<Account>('SELECT * FROM account WHERE username = ?', [username]);
    // MySQL and MariaDB ignore trailing spaces in comparisons.
    const found = rows.find((row) => row.username === username);
    return found === undefined ? null : { ...found, enabled: Boolean(found.enabled) };
  }

  /**
   * The owner of a token, if its session is still open and the account enabled. Queried on every
   * request, so that ended sessions and disabled accounts lose access at once.
   */
  async findCaller(claims: TokenClaims): Promise<Caller | null> {
    const [row] = await this.database.rows<{ id: number; username: string; role: Role }>(
      'SELECT account.id, account.username, account.role FROM login_session ' +
        'JOIN account ON account.id = login_session.account_id ' +
        'WHERE login_session.id = ? AND login_session.ended_at IS NULL AND account.id = ? AND account.enabled = 1',
      [claims.sid, Number(claims.sub)],
    );
    if (row === undefined) return null;
    return {
      accountId: row.id,
      username: row.username,
      role: row.role,
      tokenId: claims.jti,
      issuer: '',
      subject: '',
    };
  }

  /** All accounts, ordered by name. */
  list(): Promise<Pick<Account, 'id' | 'username' | 'role' | 'enabled' | 'last_login_at'>[]> {
    return this.database.rows(
      'SELECT id, username, role, enabled, last_login_at FROM account ORDER BY username',
    );
  }

  /** @throws AccountError when the name is invalid or taken */
  async assertAvailable(username: string): Promise<void> {
    assertValidUsername(username);
    if ((await this.findByUsername(username)) !== null) throw alreadyExists(username);
  }

  /** @throws AccountError when there is no such account */
  async assertExists(username: string): Promise<void> {
    if ((await this.findByUsername(username)) === null) throw doesNotExist(username);
  }

  /** @throws AccountError when the name or the password is invalid, or the name is taken */
  async create(username: string, password: string, role: Role): Promise<void> {
    const account = await this.buildAccount(username, password, role);
    try {
      await this.unitOfWork.run((transaction) => this.insert(transaction, account));
    } catch (error) {
      if (driverErrorKind(error) === 'duplicate') throw alreadyExists(username);
      throw error;
    }
    this.log.write('account_added', { username });
  }

  /**
   * Creates an admin account if there is no account yet.
   * @returns false when there is one already
   * @throws AccountError when the name or the password is invalid
   */
  async createFirst(username: string, password: string): Promise<boolean> {
    if (!(await this.isEmpty())) return false;
    const account = await this.buildAccount(username, password, 'admin');
    const created = await this.unitOfWork
      .run(async (transaction) => {
        const [first] = await transaction.rows('SELECT id FROM account LIMIT 1');
        if (first !== undefined) return false;
        await this.insert(transaction, account);
        return true;
      })
      .catch((error: unknown) => {
        // Another process that started at the same time was first.
        if (driverErrorKind(error) === 'duplicate') return false;
        throw error;
      });
    if (created) this.log.write('account_added', { username });
    return created;
  }

  /** Whether there is no account. */
  async isEmpty(): Promise<boolean> {
    return (await this.database.rows('SELECT id FROM account LIMIT 1')).length === 0;
  }

  /**
   * Enables or disables an account. Disabling ends its sessions, their access tokens and its
   * invitation at once; enabling it again does not restore them.
   * @throws AccountError when there is no such account, or no other enabled admin would be left
   */
  async setEnabled(username: string, enabled: boolean): Promise<void> {
    await this.update(
      username,
      enabled ? 'account_enabled' : 'account_disabled',
      async (transaction, account) => {
        if (!enabled) await assertNotLastAdmin(transaction, account);
        await transaction.manager.update(Account, account.id, { enabled });
        if (!enabled) await endAccess(transaction, account.id, instantText(this.clock.now()));
        return { ...account, enabled };
      },
    );
  }

  /**
   * Changes the password of an account and ends its sessions, their access tokens and its
   * invitation.
   * @throws AccountError when the password is invalid or there is no such account
   */
  async setPassword(username: string, password: string): Promise<void> {
    const hash = await this.hashPassword(username, password);
    await this.update(username, 'password_changed', async (transaction, account) => {
      const now = instantText(this.clock.now());
      await transaction.manager.update(Account, account.id, {
        password_hash: hash,
        password_changed_at: now,
      });
      await endAccess(transaction, account.id, now);
      return { ...account, password_changed_at: now };
    });
  }

  private async update(
    username: string,
    event: SecurityEvent,
    work: (transaction: Transaction, account: AuditedAccount) => Promise<AuditedAccount>,
  ): Promise<void> {
    await this.unitOfWork.run(async (transaction) => {
      const rows = await transaction.rows<AuditedAccount>(
        `SELECT id, ${AUDITED_COLUMNS.join(', ')} FROM account WHERE username = ?${rowLock(transaction)}`,
        [username],
      );
      const found = rows.find((row) => row.username === username);
      if (found === undefined) throw doesNotExist(username);
      const before = { ...found, enabled: Boolean(found.enabled) };
      const after = await work(transaction, before);
      await this.record(transaction, before.id, before, after);
    });
    this.log.write(event, { username });
  }

  private async buildAccount(username: string, password: string, role: Role): Promise<Omit<Account, 'id'>> {
    assertValidUsername(username);
    const password_hash = await this.hashPassword(username, password);
    return newAccount({ username, role, password_hash }, instantText(this.clock.now()));
  }

  private async hashPassword(username: string, password: string): Promise<string> {
    const violation = await passwordViolation(password, username);
    if (violation !== null) throw new AccountError(`The password ${violation}`);
    return this.hasher.hash(password);
  }

  private async insert(transaction: Transaction, account: Omit<Account, 'id'>): Promise<void> {
    const id = await transaction.insert(Account, account);
    await this.record(transaction, id, null, { ...account, id });
  }

  private async record(
    transaction: Transaction,
    recordId: number,
    before: AuditedAccount | null,
    after: AuditedAccount,
  ): Promise<void> {
    await this.audit.record(transaction, {
      caller: null,
      requestId: null,
      table: 'account',
      recordId,
      action: before === null ? 'create' : 'update',
      columns: AUDITED_COLUMNS,
      before,
      after,
    });
  }
}

/** Admins are locked: two who disable each other must not both succeed. */
async function assertNotLastAdmin(transaction: Transaction, { id, username }: AuditedAccount): Promise<void> {
  const admins = await transaction.rows<{ id: number }>(
    `SELECT id FROM account WHERE role = 'admin' AND enabled = 1 AND password_hash <> ?${rowLock(transaction)}`,
    [NO_PASSWORD],
  );
  if (admins.length === 1 && admins[0]!.id === id)
    throw new AccountError(`Account ${username} is the last enabled admin. Add or enable another one first.`);
}

const alreadyExists = (username: string) => new AccountError(`Account ${username} already exists.`);
const doesNotExist = (username: string) => new AccountError(`There is no account ${username}.`);

/** The row of a new account. @param at instant, ISO 8601 */
export const newAccount = (
  account: Pick<Account, 'username' | 'role' | 'password_hash'>,
  at: string,
): Omit<Account, 'id'> => ({
  ...account,
  enabled: true,
  created_at: at,
  password_changed_at: at,
  last_login_at: null,
});

/** @throws AccountError */
export function assertValidUsername(username: string): void {
  if (USERNAME.test(username)) return;
  throw new AccountError(
    'The user name must be 3 to 150 characters long: letters, digits and @ . + - _ only.',
  );
}
