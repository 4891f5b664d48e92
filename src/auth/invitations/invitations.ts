import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { IsNull, MoreThan } from 'typeorm';
import { Database } from '../../database/database.js';
import { driverErrorKind } from '../../database/errors/driver-errors.js';
import type { Reads } from '../../database/reads.js';
import { AuditTrail, type AuditedCaller } from '../../ledger/audit/audit-trail.js';
import { removeExpired } from '../../ledger/expired-rows.js';
import { UnitOfWork, type Transaction } from '../../ledger/unit-of-work.js';
import { Clock, instantText } from '../../platform/clock/clock.js';
import { NotFound, PreconditionFailed, Throttled, ValidationError } from '../../platform/errors/api-error.js';
import { clientNetwork } from '../../platform/http/client.js';
import type { AccountEditor } from '../accounts/account-records.js';
import { Account } from '../accounts/account.entity.js';
import { AccountError, assertValidUsername, AUDITED_COLUMNS, newAccount } from '../accounts/accounts.js';
import { endAccess } from '../accounts/end-access.js';
import { accountsWithoutPassword, NO_PASSWORD } from '../accounts/no-password.js';
import { PasswordHasher } from '../accounts/password-hasher.js';
import { passwordViolation } from '../accounts/password-rules.js';
import type { LoginClient, RequestLimits } from '../auth.service.js';
import { rowLock } from '../row-lock.js';
import { SecurityLog } from '../security-log.js';
import { AuthThrottle, type Attempt } from '../sessions/auth-throttle.js';
import { SigningKeys } from '../tokens/signing-keys.js';
import { tokenDigest } from '../tokens/tokens.js';
import { endInvitations } from './end-invitations.js';
import type { InvitationDto } from './invitation.dto.js';
import { Invitation } from './invitation.entity.js';

/** Hours for which an invitation is open. */
export const INVITATION_HOURS = 72;

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** The audit log shows an invitation as a column of its account: until when it is open. */
const COLUMNS = [...AUDITED_COLUMNS, 'invited_until'] as const;
type AuditedColumns = Pick<Account, (typeof AUDITED_COLUMNS)[number]> & { invited_until: string | null };

/** An account in the transaction that has locked it. */
type LockedAccount = AuditedColumns & Pick<Account, 'id' | 'password_hash'>;

/** An invitation that was just made. Its token is not known afterwards. */
export interface IssuedInvitation {
  token: string;
  account: Pick<Account, 'id' | 'username'>;
  /** Instant, ISO 8601. */
  expiresAt: string;
  /** Whether an earlier invitation of the account has ended by it. */
  replaces: boolean;
}

/** What admins see of an account beside its record. */
export interface InvitationState {
  /** Until when its invitation is open; null where none is. */
  invitedUntil: string | null;
  /** Without one, nobody can log in with it. */
  hasPassword: boolean;
}

/** An invitation whose address somebody has opened. */
export interface OpenInvitation {
  accountId: number;
  username: string;
}

/**
 * Invitations: each is an address with 256 random bits, at which the password of an account is set,
 * once and within 72 hours. An admin makes them, of new accounts and for forgotten passwords. Only
 * the digest of the token is stored, and an account has one open invitation at most.
 */
@Injectable()
export class Invitations {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly hasher: PasswordHasher,
    private readonly throttle: AuthThrottle,
    private readonly keys: SigningKeys,
    private readonly log: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** The state of each account, by its id. */
  async states(): Promise<ReadonlyMap<number, InvitationState>> {
    const rows = await this.database.rows<{ id: number; invited_until: string | null }>(
      'SELECT account.id, (SELECT MAX(invitation.expires_at) FROM invitation' +
        ' WHERE invitation.account_id = account.id AND ended_at IS NULL AND expires_at > ?)' +
        ' AS invited_until FROM account',
      [this.now()],
    );
    const unusable = await accountsWithoutPassword(this.database);
    const states = new Map<number, InvitationState>();
    for (const { id, invited_until: until } of rows) {
      const isOpen = until !== null && !(await this.isOvertaken(this.database, id, until));
      states.set(id, { invitedUntil: isOpen ? until : null, hasPassword: !unusable.has(id) });
    }
    return states;
  }

  /**
   * Creates an account without a password, and its invitation. An account that was invited before
   * with the same role and has no password yet gets another one instead of the first: a form may
   * be sent twice.
   * @throws ValidationError when the name is invalid or taken
   */
  async invite({ username, role }: InvitationDto, editor: AccountEditor): Promise<IssuedInvitation> {
    try {
      assertValidUsername(username);
    } catch (error) {
      if (error instanceof AccountError) throw invalidName(error.message);
      throw error;
    }
    let isNew = false;
    const invite = () =>
      this.unitOfWork.run(async (transaction) => {
        const account = await this.lock(transaction, 'username', username);
        isNew = account === null;
        if (account === null) {
          const created = newAccount({ username, role, password_hash: NO_PASSWORD }, this.now());
          const id = await transaction.insert(Account, created);
          return this.issue(transaction, { ...created, id, invited_until: null }, editor, true);
        }
        const isInvited = account.enabled && account.password_hash === NO_PASSWORD && account.role === role;
        if (!isInvited) throw invalidName(`Account ${username} already exists.`);
        return this.issue(transaction, account, editor);
      }, editor.deadline);
    const issued = await invite().catch((error: unknown) => {
      // Another admin has invited the same person at the same time.
      if (driverErrorKind(error) === 'duplicate') return invite();
      throw error;
    });
    const { requestId } = editor;
    if (isNew) this.log.write('account_added', { username, requestId });
    this.log.write('invitation_issued', { username, requestId });
    return issued;
  }

  /**
   * Makes an invitation for an account, as for a forgotten password: until it is used, the password
   * stays as it is. It replaces an earlier one.
   * @throws NotFound @throws PreconditionFailed for a disabled account
   */
  async reinvite(accountId: number, editor: AccountEditor): Promise<IssuedInvitation> {
    const issued = await this.unitOfWork.run(async (transaction) => {
      const account = await this.required(transaction, accountId);
      if (!account.enabled)
        throw new PreconditionFailed('The account is disabled: enable it before you make an invitation.');
      return this.issue(transaction, account, editor);
    }, editor.deadline);
    const { username } = issued.account;
    this.log.write('invitation_issued', { username, requestId: editor.requestId });
    return issued;
  }

  /** Ends the invitation of an account. Nothing happens where none is open. @throws NotFound */
  async withdraw(accountId: number, { caller, requestId, deadline }: AccountEditor): Promise<void> {
    const withdrawn = await this.unitOfWork.run(async (transaction) => {
      const account = await this.required(transaction, accountId);
      if (account.invited_until === null) return null;
      await endInvitations(transaction, accountId, this.now());
      await this.record(transaction, { caller, requestId }, account, { ...account, invited_until: null });
      return account;
    }, deadline);
    if (withdrawn !== null)
      this.log.write('invitation_withdrawn', { username: withdrawn.username, requestId });
  }

  /**
   * The open invitation of a token. It is not spent by that. Others count as failed logins.
   * @returns null for a token that is unknown, spent, withdrawn or expired, or whose account is or
   * was disabled
   * @throws Throttled after too many failures, also with the right token
   */
  async find(
    token: string,
    client: LoginClient,
    { deadline }: RequestLimits,
  ): Promise<OpenInvitation | null> {
    await this.throttle.assertAllowed(this.attemptOf(token, client)).catch(this.logThrottled(token, client));
    const [found] = TOKEN.test(token)
      ? await this.database.rows<{ account_id: number; username: string; expires_at: string }>(
          'SELECT account_id, username, expires_at FROM invitation' +
            ' JOIN account ON account.id = invitation.account_id' +
            ' WHERE digest = ? AND ended_at IS NULL AND expires_at > ? AND account.enabled = 1',
          [tokenDigest(token), this.now()],
        )
      : [];
    const { database } = this;
    if (found === undefined || (await this.isOvertaken(database, found.account_id, found.expires_at))) {
      await this.recordFailure(token, client, deadline);
      return null;
    }
    return { accountId: found.account_id, username: found.username };
  }

  /**
   * Sets the password of an account and spends the invitation: of several at once with one token
   * the first wins. All sessions and tokens of the account end.
   * @param invitation as `find` has returned it
   * @returns false where it has ended meanwhile, or the account was disabled
   * @throws ValidationError when the password is rejected; the invitation stays open
   * @throws Throttled, Unavailable when the queue of logins is full
   */
  async accept(
    token: string,
    { accountId, username }: OpenInvitation,
    password: string,
    client: LoginClient,
    limits: RequestLimits,
  ): Promise<boolean> {
    const violation = await passwordViolation(password, username);
    if (violation !== null) throw invalidPassword(`The password ${violation}`);
    const hash = await this.hasher.runQueued(limits.signal, () => this.hasher.hash(password));
    const isSet = await this.unitOfWork.run(
      (transaction) => this.spend(transaction, tokenDigest(token), accountId, hash, client.requestId),
      limits.deadline,
    );
    if (isSet) this.log.write('password_changed', { ...client, username });
    else await this.recordFailure(token, client, limits.deadline);
    return isSet;
  }

  /** Removes expired invitations. */
  purge(): Promise<void> {
    return removeExpired(this.database, this.unitOfWork, Invitation, 'expires_at', this.now());
  }

  /** @returns false where the invitation has ended, or the account was disabled meanwhile */
  private async spend(
    transaction: Transaction,
    digest: string,
    accountId: number,
    hash: string,
    requestId: string,
  ): Promise<boolean> {
    const account = await this.lock(transaction, 'id', accountId);
    if (!account?.enabled || account.invited_until === null) return false;
    const at = this.now();
    const spent = await transaction.manager.update(
      Invitation,
      { digest, account_id: accountId, ended_at: IsNull(), expires_at: MoreThan(at) },
      { ended_at: at },
    );
    if (spent.affected === 0) return false;
    const changes = { password_hash: hash, password_changed_at: at };
    await transaction.manager.update(Account, accountId, changes);
    await endAccess(transaction, accountId, at);
    // Whoever has the address acts as the account.
    const caller = { accountId, tokenId: '', issuer: '', subject: '' };
    const after = { ...account, ...changes, invited_until: null };
    await this.record(transaction, { caller, requestId }, account, after);
    return true;
  }

  /**
   * Whether an account was disabled or given a password since its invitation was made. That ends
   * the invitation; but an earlier release, beside this one in an upgrade, knows none to end, and
   * leaves no trace except in the audit log.
   * @param expiresAt of the invitation; the entry that made it has the same
   */
  private async isOvertaken(
    reads: Pick<Reads, 'rows'>,
    accountId: number,
    expiresAt: string,
  ): Promise<boolean> {
    for (const columns of await this.audit.changesOf(reads, 'account', accountId)) {
      if (columns.invited_until === expiresAt) return false;
      if ('enabled' in columns || 'password_changed_at' in columns) return true;
    }
    return true;
  }

  /** @param isNew whether the transaction has created the account */
  private async issue(
    transaction: Transaction,
    account: LockedAccount,
    { caller, requestId }: AccountEditor,
    isNew = false,
  ): Promise<IssuedInvitation> {
    const { id, username } = account;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = instantText(this.clock.now() + INVITATION_HOURS * 3600_000);
    await endInvitations(transaction, id, this.now());
    const values = { digest: tokenDigest(token), account_id: id, expires_at: expiresAt };
    await transaction.insert(Invitation, values);
    const after = { ...account, invited_until: expiresAt };
    await this.record(transaction, { caller, requestId }, isNew ? null : account, after);
    return { token, account: { id, username }, expiresAt, replaces: account.invited_until !== null };
  }

  private async required(transaction: Transaction, accountId: number): Promise<LockedAccount> {
    const account = await this.lock(transaction, 'id', accountId);
    if (account === null) throw new NotFound('There is no such account.');
    return account;
  }

  /** The account, and until when its invitation is open; both stay as they are until the commit. */
  private async lock(
    transaction: Transaction,
    column: 'id' | 'username',
    value: number | string,
  ): Promise<LockedAccount | null> {
    const accounts = await transaction.rows<Omit<LockedAccount, 'invited_until'>>(
      `SELECT id, password_hash, ${AUDITED_COLUMNS.join(', ')} FROM account WHERE ${column} = ?${rowLock(transaction)}`,
      [value],
    );
    // MySQL and MariaDB ignore trailing spaces in comparisons.
    const account = accounts.find((each) => each[column] === value);
    if (account === undefined) return null;
    const [open] = await transaction.rows<{ expires_at: string }>(
      `SELECT expires_at FROM invitation WHERE account_id = ? AND ended_at IS NULL AND expires_at > ?${rowLock(transaction)}`,
      [account.id, this.now()],
    );
    const isOpen = open !== undefined && !(await this.isOvertaken(transaction, account.id, open.expires_at));
    return {
      ...account,
      enabled: Boolean(account.enabled),
      invited_until: isOpen ? open.expires_at : null,
    };
  }

  private async record(
    transaction: Transaction,
    { caller, requestId }: { caller: AuditedCaller; requestId: string },
    before: AuditedColumns | null,
    after: AuditedColumns & { id: number },
  ): Promise<void> {
    await this.audit.record(transaction, {
      caller,
      requestId,
      table: 'account',
      recordId: after.id,
      action: before === null ? 'create' : 'update',
      columns: COLUMNS,
      before,
      after,
    });
  }

  private attemptOf(token: string, { address }: LoginClient): Attempt {
    return { kind: 'login', network: clientNetwork(address), name_digest: this.keys.nameDigest(token) };
  }

  /** Recorded before the reply, so that of many at once no more than the limit get one. */
  private async recordFailure(token: string, client: LoginClient, deadline: number): Promise<void> {
    await this.throttle
      .record(this.attemptOf(token, client), deadline)
      .catch(this.logThrottled(token, client));
    this.log.write('invitation_refused', { ...client, nameDigest: this.keys.nameDigest(token) });
  }

  private logThrottled(token: string, client: LoginClient): (error: unknown) => never {
    return (error) => {
      if (error instanceof Throttled)
        this.log.write('invitation_throttled', { ...client, nameDigest: this.keys.nameDigest(token) });
      throw error;
    };
  }

  private now(): string {
    return instantText(this.clock.now());
  }
}

const invalidField = (name: string) => (detail: string) =>
  new ValidationError([{ in: 'body', name, pointer: `/${name}`, code: 'invalid_format', detail }]);
const invalidName = invalidField('username');
const invalidPassword = invalidField('password');
