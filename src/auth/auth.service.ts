import { Injectable } from '@nestjs/common';
import { Clock, instantText } from '../platform/clock/clock.js';
import { AuthenticationFailed, Throttled, TokenNotValid } from '../platform/errors/api-error.js';
import { clientNetwork } from '../platform/http/client.js';
import { UnitOfWork, type Transaction } from '../ledger/unit-of-work.js';
import type { LoginDto } from './auth.dto.js';
import { Accounts } from './accounts/accounts.js';
import { Account } from './accounts/account.entity.js';
import { AuthThrottle, type Attempt } from './sessions/auth-throttle.js';
import { CookieSessions } from './sessions/cookie-sessions.js';
import { LoginSessions } from './sessions/login-sessions.js';
import type { ProviderAccount } from './sessions/provider-sessions.js';
import { PasswordHasher } from './accounts/password-hasher.js';
import { SecurityLog, type SecurityEvent, type SecurityEventAttributes } from './security-log.js';
import { SigningKeys } from './tokens/signing-keys.js';
import { TokenRejected } from './tokens/token-claims.js';
import { Tokens, type TokenPair } from './tokens/tokens.js';

/** The origin of a request, for the throttles and the security log. */
export interface LoginClient {
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

/** A session that was opened, and what the client identifies it by. */
interface OpenedWith<T> {
  id: string;
  credential: T;
}

type OpenSession<T> = (transaction: Transaction, accountId: number) => Promise<OpenedWith<T>>;

/** A login whose password is right. */
interface CheckedLogin {
  account: Account;
  password: string;
  attemptId: number | null;
  deadline: number;
}

/** Login, refresh and logout. */
@Injectable()
export class AuthService {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: LoginSessions,
    private readonly cookieSessions: CookieSessions,
    private readonly tokens: Tokens,
    private readonly hasher: PasswordHasher,
    private readonly throttle: AuthThrottle,
    private readonly keys: SigningKeys,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens a session whose tokens the client sends itself.
   * @throws as `authenticate`
   */
  login(username: string, password: string, client: LoginClient, limits: RequestLimits): Promise<TokenPair> {
    return this.authenticate({ username, password }, client, limits, async (transaction, accountId) => {
      const { id, tokens } = await this.sessions.open(transaction, accountId);
      return { id, credential: tokens };
    });
  }

  /**
   * Opens a session whose token a browser keeps in a cookie.
   * @returns the token
   * @throws as `authenticate`
   */
  loginWithCookie(login: LoginDto, client: LoginClient, limits: RequestLimits): Promise<string> {
    return this.authenticate(login, client, limits, (transaction, accountId) =>
      this.cookieSessions.open(transaction, accountId),
    );
  }

  /** Opens a session of an account that the identity provider has signed in. @returns the token */
  async loginOfProvider(
    account: ProviderAccount,
    client: LoginClient,
    { deadline }: RequestLimits,
  ): Promise<string> {
    const { id, credential } = await this.cookieSessions.openOfProvider(account, deadline);
    this.log.write('login', { ...client, username: account.subject, sessionId: id });
    return credential;
  }

  /** Ends the session of a cookie. */
  async logoutCookie(token: string, client: LoginClient, { deadline }: RequestLimits): Promise<void> {
    const sessionId = await this.cookieSessions.end(token, deadline);
    if (sessionId !== null) this.log.write('logout', { ...client, sessionId });
  }

  /**
   * Opens a session. An unknown name, a wrong password and a disabled account take the same work
   * and get the same response.
   * A login that is still in the queue when its client disconnects is dropped.
   * @returns what identifies the session to the service
   * @throws AuthenticationFailed
   * @throws Throttled after too many failures, even with the right password
   * @throws Unavailable when the queue of logins is full
   */
  private async authenticate<T>(
    { username, password }: LoginDto,
    client: LoginClient,
    { signal, deadline }: RequestLimits,
    open: OpenSession<T>,
  ): Promise<T> {
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
        matches && account?.enabled
          ? await this.openSession({ account, password, attemptId, deadline }, open)
          : null;
      if (session === null) {
        this.log.write('login_failed', { ...client, nameDigest });
        throw new AuthenticationFailed();
      }
      this.log.write('login', { ...client, accountId: account!.id, username, sessionId: session.id });
      return session.credential;
    });
  }

  /**
   * Exchanges a refresh token for a new pair of tokens.
   * @throws TokenNotValid
   * @throws Throttled
   */
  async refresh(token: string, client: LoginClient, { deadline }: RequestLimits): Promise<TokenPair> {
    const claims = await this.tokens.verifyRefreshToken(token).catch((error: unknown): never => {
      if (!(error instanceof TokenRejected)) throw error;
      this.log.write('token_refused', { ...client, reason: error.message });
      throw new TokenNotValid();
    });
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
  async logout(token: string, client: LoginClient, { deadline }: RequestLimits): Promise<void> {
    const isValid = await this.tokens.verifyRefreshToken(token).then(
      () => true,
      () => false,
    );
    if (!isValid) return;
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
  private async openSession<T>(
    { account, password, attemptId, deadline }: CheckedLogin,
    open: OpenSession<T>,
  ): Promise<OpenedWith<T> | null> {
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
      return open(transaction, account.id);
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
