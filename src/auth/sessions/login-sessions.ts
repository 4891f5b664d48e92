import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { randomUUID } from 'node:crypto';
import { Clock, instantText } from '../../platform/clock/clock.js';
import { Environment } from '../../config/environment.js';
import { Database } from '../../database/database.js';
import { removeExpired } from '../../ledger/expired-rows.js';
import { UnitOfWork, type Transaction } from '../../ledger/unit-of-work.js';
import { LoginSession } from './login-session.entity.js';
import { RefreshToken } from './refresh-token.entity.js';
import { Tokens, tokenDigest, type TokenPair } from '../tokens/tokens.js';
import type { TokenClaims } from '../tokens/token-claims.js';

/** Open sessions of one account; the oldest is ended first. */
const MAX_OPEN_SESSIONS = 20;
/**
 * Milliseconds for which expired rows are retained: longer than any access token that refers to
 * them, plus the differences between clocks.
 */
const RETENTION_AFTER_EXPIRY = 2 * 3600 * 1000;

/** A new session with its first tokens. */
interface OpenedSession {
  id: string;
  tokens: TokenPair;
}

/** The result of presenting a refresh token. */
type Rotation =
  | { outcome: 'renewed'; tokens: TokenPair }
  /** It was spent before: its session has been ended. */
  | { outcome: 'reused' }
  /** It is unknown, its session has ended or the account is disabled. */
  | { outcome: 'rejected' };

/**
 * Login sessions and their refresh tokens. A refresh token is valid once; only its digest is
 * stored.
 */
@Injectable()
export class LoginSessions {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly tokens: Tokens,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /**
   * Opens a session for an account, and ends the account's oldest sessions above the limit. Runs in
   * the transaction that has locked the account's row, so concurrent logins cannot exceed the
   * limit.
   */
  async open(transaction: Transaction, accountId: number): Promise<OpenedSession> {
    const { id, expiresAt } = await this.begin(transaction, accountId);
    return { id, tokens: await this.issueTokens(transaction, accountId, id, expiresAt) };
  }

  /** As `open`, without tokens. @returns the session and when it expires if it is not used */
  async begin(transaction: Transaction, accountId: number): Promise<{ id: string; expiresAt: number }> {
    const now = this.clock.now();
    const id = randomUUID();
    const expiresAt = this.expiry(now, now);
    await transaction.insert(LoginSession, {
      id,
      account_id: accountId,
      created_at: instantText(now),
      used_at: instantText(now),
      expires_at: instantText(expiresAt),
    });
    await this.endOldest(transaction, accountId, id);
    return { id, expiresAt };
  }

  /**
   * Exchanges a refresh token for a new pair. A single conditional update spends it, so that of
   * several requests with the same token one succeeds; the others present a spent token, which ends
   * the session.
   * @param token a token that `Tokens.verifyRefreshToken` has accepted
   * @param deadline when the exchange must be committed
   */
  rotate(token: string, claims: TokenClaims, deadline: number): Promise<Rotation> {
    return this.unitOfWork.run(async (transaction): Promise<Rotation> => {
      const now = this.clock.now();
      const digest = tokenDigest(token);
      const spent = await transaction.manager.update(
        RefreshToken,
        { digest, spent_at: IsNull() },
        { spent_at: instantText(now) },
      );
      if (spent.affected === 0) {
        return { outcome: (await this.endByToken(transaction, digest)) === null ? 'rejected' : 'reused' };
      }
      const [session] = await transaction.rows<{ account_id: number; created_at: string }>(
        'SELECT login_session.account_id, login_session.created_at FROM login_session ' +
          'JOIN account ON account.id = login_session.account_id WHERE login_session.id = ? AND account.enabled = 1',
        [claims.sid],
      );
      if (session === undefined) return { outcome: 'rejected' };
      const expiresAt = this.expiry(Date.parse(session.created_at), now);
      const renewed = await transaction.manager.update(
        LoginSession,
        { id: claims.sid, ended_at: IsNull() },
        { used_at: instantText(now), expires_at: instantText(expiresAt) },
      );
      if (renewed.affected === 0 || expiresAt <= now) return { outcome: 'rejected' };
      return {
        outcome: 'renewed',
        tokens: await this.issueTokens(transaction, session.account_id, claims.sid, expiresAt),
      };
    }, deadline);
  }

  /**
   * Ends the session of a refresh token that `Tokens.verifyRefreshToken` has accepted.
   * @returns the session, and whether the token had been spent; null for an unknown token
   */
  endByRefreshToken(token: string, deadline: number): Promise<{ sessionId: string; spent: boolean } | null> {
    return this.unitOfWork.run((transaction) => this.endByToken(transaction, tokenDigest(token)), deadline);
  }

  /** Removes expired rows: tokens first, as they refer to their sessions. */
  async purge(): Promise<void> {
    const before = instantText(this.clock.now() - RETENTION_AFTER_EXPIRY);
    await removeExpired(this.database, this.unitOfWork, RefreshToken, 'expires_at', before);
    await removeExpired(this.database, this.unitOfWork, LoginSession, 'expires_at', before);
  }

  private async endByToken(
    transaction: Transaction,
    digest: string,
  ): Promise<{ sessionId: string; spent: boolean } | null> {
    const [token] = await transaction.rows<{ session_id: string; spent_at: string | null }>(
      'SELECT session_id, spent_at FROM refresh_token WHERE digest = ?',
      [digest],
    );
    if (token === undefined) return null;
    await transaction.manager.update(
      LoginSession,
      { id: token.session_id, ended_at: IsNull() },
      { ended_at: instantText(this.clock.now()) },
    );
    return { sessionId: token.session_id, spent: token.spent_at !== null };
  }

  private async endOldest(transaction: Transaction, accountId: number, newest: string): Promise<void> {
    const now = instantText(this.clock.now());
    const older = await transaction.rows<{ id: string }>(
      'SELECT id FROM login_session WHERE account_id = ? AND id <> ? AND ended_at IS NULL AND expires_at > ? ' +
        'ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET ?',
      [accountId, newest, now, MAX_OPEN_SESSIONS - 1],
    );
    if (older.length > 0)
      await transaction.manager.update(
        LoginSession,
        older.map(({ id }) => id),
        { ended_at: now },
      );
  }

  private async issueTokens(
    transaction: Transaction,
    accountId: number,
    sessionId: string,
    expiresAt: number,
  ): Promise<TokenPair> {
    const pair = await this.tokens.issuePair(accountId, sessionId, expiresAt);
    await transaction.insert(RefreshToken, {
      digest: tokenDigest(pair.refresh),
      session_id: sessionId,
      expires_at: instantText(expiresAt),
    });
    return pair;
  }

  /**
   * When a session ends that is used now: after the idle time, and the total time at the latest.
   * All in milliseconds since 1970.
   */
  expiry(loggedInAt: number, now: number): number {
    const { refreshTokenTtl, refreshTokenIdleTtl } = this.environment;
    return Math.min(loggedInAt + refreshTokenTtl * 1000, now + refreshTokenIdleTtl * 1000);
  }
}
