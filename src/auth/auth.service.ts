import { Injectable } from '@nestjs/common';
import { Clock, instantText } from '../common/dates/clock.js';
import { AuthenticationFailed, Throttled, TokenNotValid } from '../common/errors/api-error.js';
import { clientNetwork } from '../common/http/client-network.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Accounts } from './accounts.js';
import type { Account } from './account.entity.js';
import { AuthThrottle, type Attempt } from './auth-throttle.js';
import { LoginSessions, type OpenedSession } from './login-sessions.js';
import { PasswordHasher } from './password-hasher.js';
import { SecurityLog, type SecurityEvent, type SecurityFacts } from './security-log.js';
import { SigningKeys } from './signing-keys.js';
import { Tokens, type TokenPair } from './tokens.js';

/** Where a request came from, for the throttles and the security log. */
export interface Client {
  address: string;
  requestId: string;
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
   * Opens a login. Every failure costs the same work and gives the same answer: an unknown name, a wrong password, a disabled
   * account.
   * @param gone fires when the client has gone: a login that still waits for its turn is dropped
   * @throws AuthenticationFailed
   * @throws Throttled after too many failures, whatever the password
   * @throws Unavailable when too many logins are waiting
   */
  async login(username: string, password: string, client: Client, gone: AbortSignal): Promise<TokenPair> {
    const nameDigest = this.keys.nameDigest(username);
    const attempt: Attempt = {
      kind: 'login',
      network: clientNetwork(client.address),
      name_digest: nameDigest,
    };
    const throttled = this.told('login_throttled', { ...client, nameDigest });
    await this.throttle.refuse(attempt).catch(throttled);
    return this.hasher.inTurn(gone, async () => {
      const counted = await this.throttle.count(attempt).catch(throttled);
      const account = await this.accounts.named(username);
      const right = await this.hasher.verify(account?.password_hash ?? null, password);
      const opened = right && account?.enabled ? await this.open(account, password, counted) : null;
      if (opened === null) {
        this.log.write('login_failed', { ...client, nameDigest });
        throw new AuthenticationFailed();
      }
      this.log.write('login', { ...client, accountId: account!.id, username, sessionId: opened.id });
      return opened.tokens;
    });
  }

  /**
   * Takes a refresh token for a new pair.
   * @throws TokenNotValid
   * @throws Throttled
   */
  async refresh(token: string, client: Client): Promise<TokenPair> {
    const attempt: Attempt = { kind: 'refresh', network: clientNetwork(client.address), name_digest: '' };
    const throttled = this.told('refresh_throttled', client);
    await this.throttle.refuse(attempt).catch(throttled);
    await this.throttle.count(attempt).catch(throttled);
    const claims = await this.tokens.readRefresh(token);
    if (claims === null) {
      this.log.write('token_refused', { ...client });
      throw new TokenNotValid();
    }
    const rotation = await this.sessions.rotate(token, claims);
    if (rotation.outcome === 'renewed') return rotation.tokens;
    this.log.write(rotation.outcome === 'reused' ? 'refresh_token_reused' : 'token_refused', {
      ...client,
      accountId: Number(claims.sub),
      sessionId: claims.sid,
      tokenId: claims.jti,
    });
    throw new TokenNotValid();
  }

  /** Ends the login that a refresh token came of. Says nothing about tokens that are unknown: there is nothing left to end. */
  async logout(token: string, client: Client): Promise<void> {
    const ended = await this.sessions.endByRefreshToken(token);
    if (ended === null) return;
    this.log.write(ended.spent ? 'refresh_token_reused' : 'logout', {
      ...client,
      sessionId: ended.sessionId,
    });
  }

  /**
   * Stores the login of an account whose password was right, and that it was no failure. Between the check and now the account
   * may have been disabled or given another password: then null.
   */
  private async open(
    account: Account,
    password: string,
    counted: number | null,
  ): Promise<OpenedSession | null> {
    const hash = this.hasher.isWeak(account.password_hash)
      ? await this.hasher.hash(password)
      : account.password_hash;
    return this.unitOfWork.run(async (transaction) => {
      const unchanged = await transaction.execute(
        'UPDATE account SET last_login_at = ?, password_hash = ? WHERE id = ? AND enabled = 1 AND password_hash = ?',
        [instantText(this.clock.now()), hash, account.id, account.password_hash],
      );
      if (unchanged.affected === 0) return null;
      if (counted !== null) await this.throttle.takeBack(transaction, counted);
      return this.sessions.open(transaction, account.id);
    });
  }

  /** Writes the event when an error is a throttle's, and throws the error on. */
  private told(event: SecurityEvent, facts: SecurityFacts): (error: unknown) => never {
    return (error) => {
      if (error instanceof Throttled) this.log.write(event, facts);
      throw error;
    };
  }
}
