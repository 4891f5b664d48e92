import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Caller, Role } from '../common/access/caller.js';
import { Clock, instantText } from '../common/dates/clock.js';
import { Database } from '../database/database.js';
import { driverErrorKind } from '../database/driver-errors.js';
import { UnitOfWork, type Transaction } from '../database/unit-of-work.js';
import type { Account } from './account.entity.js';
import { PasswordHasher } from './password-hasher.js';
import { passwordRefusal } from './password-rules.js';
import { SecurityLog, type SecurityEvent } from './security-log.js';
import type { TokenClaims } from './token-claims.js';

/** A user name: 3 to 150 letters, digits and `@ . + - _`, as in Django, whose users it may come from. */
const USERNAME = /^[\p{L}\p{N}@.+_-]{3,150}$/u;

/** What the audit trail shows of an account: never the hash. */
const SHOWN = ['username', 'role', 'enabled', 'password_changed_at'] as const;
type Shown = Pick<Account, 'id' | (typeof SHOWN)[number]>;

/** Why an account cannot be made or changed, in a sentence for whoever asked. */
export class AccountError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AccountRefused';
  }
}

/** The accounts: looked up by the guard and the login, changed by commands. Every change goes to the audit trail. */
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

  /** The account of exactly this name. */
  async named(username: string): Promise<Account | null> {
    const rows = await this.database.rows<Account>('SELECT * FROM account WHERE username = ?', [username]);
    // The servers ignore trailing blanks when they compare.
    const found = rows.find((row) => row.username === username);
    return found === undefined ? null : { ...found, enabled: Boolean(found.enabled) };
  }

  /** Whose token it is, if its login is still open and the account enabled: asked of the database for every request. */
  async callerOf(claims: TokenClaims): Promise<Caller | null> {
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
      sessionId: claims.sid,
      tokenId: claims.jti,
    };
  }

  /** All accounts, by name. */
  list(): Promise<Pick<Account, 'username' | 'role' | 'enabled' | 'last_login_at'>[]> {
    return this.database.rows('SELECT username, role, enabled, last_login_at FROM account ORDER BY username');
  }

  /** @throws AccountRefused when no account could be made with this name */
  async requireNew(username: string): Promise<void> {
    requireName(username);
    if ((await this.named(username)) !== null) throw taken(username);
  }

  /** @throws AccountRefused when there is no such account */
  async requireKnown(username: string): Promise<void> {
    if ((await this.named(username)) === null) throw unknown(username);
  }

  /** @throws AccountRefused when the name or the password will not do, or the name is taken */
  async add(username: string, password: string, role: Role): Promise<void> {
    const account = await this.newAccount(username, password, role);
    try {
      await this.unitOfWork.run((transaction) => this.insert(transaction, account));
    } catch (error) {
      if (driverErrorKind(error) === 'duplicate') throw taken(username);
      throw error;
    }
    this.log.write('account_added', { username });
  }

  /**
   * Makes the very first account.
   * @returns false when there is an account already
   * @throws AccountRefused as `add`
   */
  async addFirst(username: string, password: string): Promise<boolean> {
    if (!(await this.none())) return false;
    const account = await this.newAccount(username, password, 'admin');
    const made = await this.unitOfWork
      .run(async (transaction) => {
        const [first] = await transaction.rows('SELECT id FROM account LIMIT 1');
        if (first !== undefined) return false;
        await this.insert(transaction, account);
        return true;
      })
      .catch((error: unknown) => {
        // Another process, started at the same time, was quicker.
        if (driverErrorKind(error) === 'duplicate') return false;
        throw error;
      });
    if (made) this.log.write('account_added', { username });
    return made;
  }

  /** Whether there is no account at all. */
  async none(): Promise<boolean> {
    return (await this.database.rows('SELECT id FROM account LIMIT 1')).length === 0;
  }

  /**
   * Opens an account for logins, or closes it. Closing ends its logins and their access tokens at once, and opening it again
   * does not bring them back.
   * @throws AccountRefused when there is no such account
   */
  async setEnabled(username: string, enabled: boolean): Promise<void> {
    await this.change(
      username,
      enabled ? 'account_enabled' : 'account_disabled',
      async (transaction, account) => {
        await transaction.execute('UPDATE account SET enabled = ? WHERE id = ?', [enabled, account.id]);
        if (!enabled) await this.endLogins(transaction, account.id);
        return { ...account, enabled };
      },
    );
  }

  /**
   * Gives an account another password and ends its logins and their access tokens.
   * @throws AccountRefused when the password will not do or there is no such account
   */
  async setPassword(username: string, password: string): Promise<void> {
    const hash = await this.hashNew(username, password);
    await this.change(username, 'password_changed', async (transaction, account) => {
      const now = instantText(this.clock.now());
      await transaction.execute(
        'UPDATE account SET password_hash = ?, password_changed_at = ? WHERE id = ?',
        [hash, now, account.id],
      );
      await this.endLogins(transaction, account.id);
      return { ...account, password_changed_at: now };
    });
  }

  private async change(
    username: string,
    event: SecurityEvent,
    work: (transaction: Transaction, account: Shown) => Promise<Shown>,
  ): Promise<void> {
    await this.unitOfWork.run(async (transaction) => {
      const lock = transaction.embedded ? '' : ' FOR UPDATE';
      const rows = await transaction.rows<Shown>(
        `SELECT id, ${SHOWN.join(', ')} FROM account WHERE username = ?${lock}`,
        [username],
      );
      const found = rows.find((row) => row.username === username);
      if (found === undefined) throw unknown(username);
      const before = { ...found, enabled: Boolean(found.enabled) };
      const after = await work(transaction, before);
      await this.record(transaction, before.id, before, after);
    });
    this.log.write(event, { username });
  }

  private async newAccount(username: string, password: string, role: Role): Promise<Omit<Account, 'id'>> {
    requireName(username);
    const password_hash = await this.hashNew(username, password);
    const now = instantText(this.clock.now());
    return {
      username,
      password_hash,
      role,
      enabled: true,
      created_at: now,
      password_changed_at: now,
      last_login_at: null,
    };
  }

  private async hashNew(username: string, password: string): Promise<string> {
    const refusal = passwordRefusal(password, username);
    if (refusal !== null) throw new AccountError(`The password ${refusal}`);
    return this.hasher.hash(password);
  }

  private async insert(transaction: Transaction, account: Omit<Account, 'id'>): Promise<void> {
    const { insertId } = await transaction.execute(
      'INSERT INTO account (username, password_hash, role, enabled, created_at, password_changed_at) VALUES (?, ?, ?, ?, ?, ?)',
      [
        account.username,
        account.password_hash,
        account.role,
        account.enabled,
        account.created_at,
        account.password_changed_at,
      ],
    );
    await this.record(transaction, insertId, null, { ...account, id: insertId });
  }

  private async endLogins(transaction: Transaction, accountId: number): Promise<void> {
    await transaction.execute(
      'UPDATE login_session SET ended_at = ? WHERE account_id = ? AND ended_at IS NULL',
      [instantText(this.clock.now()), accountId],
    );
  }

  private async record(
    transaction: Transaction,
    recordId: number,
    before: Shown | null,
    after: Shown,
  ): Promise<void> {
    await this.audit.record(transaction, {
      caller: null,
      requestId: null,
      table: 'account',
      recordId,
      action: before === null ? 'create' : 'update',
      columns: SHOWN,
      before,
      after,
    });
  }
}

const taken = (username: string) => new AccountError(`There is an account ${username}.`);
const unknown = (username: string) => new AccountError(`There is no account ${username}.`);

function requireName(username: string): void {
  if (USERNAME.test(username)) return;
  throw new AccountError('A user name has 3 to 150 letters, digits and @ . + - _ and nothing else.');
}
