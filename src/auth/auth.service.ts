import { Injectable } from '@nestjs/common';
import { Clock, instantText } from '../platform/clock/clock.js';
import { AuthenticationFailed, Throttled, TokenNotValid } from '../platform/errors/api-error.js';
import { clientNetwork } from '../platform/http/request/client-network.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Accounts } from './accounts/accounts.js';
import { Account } from './accounts/account.entity.js';
import { AuthThrottle, type Attempt } from './sessions/auth-throttle.js';
import { LoginSessions, type OpenedSession } from './sessions/login-sessions.js';
import { PasswordHasher } from './accounts/password-hasher.js';
import { SecurityLog, type SecurityEvent, type SecurityEventAttributes } from './security-log.js';
import { SigningKeys } from './tokens/signing-keys.js';
import { Tokens, type TokenPair } from './tokens/tokens.js';

/** The origin of a request, for the throttles and the security log. */
export interface Client {
  address: string;
  requestId: string;
}

/** How long a request may take. */
export interface RequestLimits {
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** When its transactions must be committed (`performance.now()`). */
  deadline: number;
}

/** Login, refresh and logout. */
@Injectable()
export class AuthService {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: LoginSessions,
    private readonly tokens: Tokens,
    private readonly hasher: PasswordHasher,
    private readonly throttle: AuthThrottle,
    private readonly keys: SigningKeys,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens a session. An unknown name, a wrong password and a disabled account take the same work
   * and get the same response.
   * A login that is still in the queue when its client disconnects is dropped.
   * @throws AuthenticationFailed
   * @throws Throttled after too many failures, even with the right password
   * @throws Unavailable when the queue of logins is full
   */
  async login(
    username: string,
    password: string,
    client: Client,
    { signal, deadline }: RequestLimits,
  ): Promise<TokenPair> {
    const nameDigest = this.keys.nameDigest(username);
    const attempt: Attempt = {
      kind: 'login',
      network: clientNetwork(client.address),
      name_digest: nameDigest,
    };
    const throttled = this.logThrottled('login_throttled', { ...client, nameDigest });
    await this.throttle.assertAllowed(attempt).catch(throttled);
    return this.hasher.runQueued(signal, async () => {
      const attemptId = await this.throttle.record(attempt, deadline).catch(throttled);
      const account = await this.accounts.findByUsername(username);
      const matches = await this.hasher.verify(account?.password_hash ?? null, password);
      const session =
        matches && account?.enabled ? await this.openSession(account, password, attemptId, deadline) : null;
      if (session === null) {
        this.log.write('login_failed', { ...client, nameDigest });
        throw new AuthenticationFailed();
      }
      this.log.write('login', { ...client, accountId: account!.id, username, sessionId: session.id });
      return session.tokens;
    });
  }

  /**
   * Exchanges a refresh token for a new pair of tokens.
   * @throws TokenNotValid
   * @throws Throttled
   */
  async refresh(token: string, client: Client, { deadline }: RequestLimits): Promise<TokenPair> {
    const claims = await this.tokens.verifyRefreshToken(token);
    if (claims === null) {
      this.log.write('token_refused', { ...client });
      throw new TokenNotValid();
    }
    const attempt: Attempt = { kind: 'refresh', network: clientNetwork(client.address), name_digest: '' };
    const throttled = this.logThrottled('refresh_throttled', client);
    await this.throttle.assertAllowed(attempt).catch(throttled);
    await this.throttle.record(attempt, deadline).catch(throttled);
    const rotation = await this.sessions.rotate(token, claims, deadline);
    if (rotation.outcome === 'renewed') return rotation.tokens;
    this.log.write(rotation.outcome === 'reused' ? 'refresh_token_reused' : 'token_refused', {
      ...client,
      accountId: Number(claims.sub),
      sessionId: claims.sid,
      tokenId: claims.jti,
    });
    throw new TokenNotValid();
  }

  /** Ends the session of a refresh token. Unknown and expired tokens are ignored. */
  async logout(token: string, client: Client, { deadline }: RequestLimits): Promise<void> {
    if ((await this.tokens.verifyRefreshToken(token)) === null) return;
    const ended = await this.sessions.endByRefreshToken(token, deadline);
    if (ended === null) return;
    this.log.write(ended.spent ? 'refresh_token_reused' : 'logout', {
      ...client,
      sessionId: ended.sessionId,
    });
  }

  /**
   * Stores the session of a successful login and releases its attempt.
   * @returns null when the account was disabled or its password changed since the check
   */
  private async openSession(
    account: Account,
    password: string,
    attemptId: number | null,
    deadline: number,
  ): Promise<OpenedSession | null> {
    const hash = this.hasher.isWeak(account.password_hash)
      ? await this.hasher.hash(password)
      : account.password_hash;
    return this.unitOfWork.run(async (transaction) => {
      const updated = await transaction.manager.update(
        Account,
        { id: account.id, enabled: true, password_hash: account.password_hash },
        { last_login_at: instantText(this.clock.now()), password_hash: hash },
      );
      if (updated.affected === 0) return null;
      if (attemptId !== null) await this.throttle.release(transaction, attemptId);
      return this.sessions.open(transaction, account.id);
    }, deadline);
  }

  /** An error handler that logs the event when a throttle rejected the request, and rethrows. */
  private logThrottled(event: SecurityEvent, attributes: SecurityEventAttributes): (error: unknown) => never {
    return (error) => {
      if (error instanceof Throttled) this.log.write(event, attributes);
      throw error;
    };
  }
}
