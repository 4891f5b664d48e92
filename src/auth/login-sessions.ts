import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock, instantText } from '../common/dates/clock.js';
import { Environment } from '../config/environment.js';
import { Database } from '../database/database.js';
import { removeExpired } from '../database/expired-rows.js';
import { UnitOfWork, type Transaction } from '../database/unit-of-work.js';
import { Tokens, tokenDigest, type TokenPair } from './tokens.js';
import type { TokenClaims } from './token-claims.js';

/** Logins that one account may have open; the oldest gives way. */
const MOST_OPEN = 20;
/** Milliseconds for which expired rows stay: longer than any access token that hangs on them, and than clocks differ. */
const KEPT_AFTER_EXPIRY = 2 * 3600 * 1000;

/** A login with its first tokens. */
export interface OpenedSession {
  id: string;
  tokens: TokenPair;
}

/** What became of a refresh token that was shown. */
export type Rotation =
  | { outcome: 'renewed'; tokens: TokenPair }
  /** It was spent before: its login is ended now. */
  | { outcome: 'reused' }
  /** Not one of ours, or its login is ended or the account disabled. */
  | { outcome: 'refused' };

/** The logins and their refresh tokens. A refresh token is good for one use; what is stored of it is a digest. */
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
   * Opens a login for an account, and ends the account's oldest where there are too many. Runs in the transaction that has
   * locked the account's row, so that two logins at once cannot both be the last.
   */
  async open(transaction: Transaction, accountId: number): Promise<OpenedSession> {
    const now = this.clock.now();
    const id = randomUUID();
    const expiresAt = this.expiry(now, now);
    await transaction.execute(
      'INSERT INTO login_session (id, account_id, created_at, used_at, expires_at) VALUES (?, ?, ?, ?, ?)',
      [id, accountId, instantText(now), instantText(now), instantText(expiresAt)],
    );
    await this.endOldest(transaction, accountId, id);
    return { id, tokens: await this.newPair(transaction, accountId, id, expiresAt) };
  }

  /**
   * Takes a refresh token for a new pair. It is spent by one conditional update, so that of several requests with the same
   * token one succeeds; the others show a spent token, which ends the login.
   * @param token a token that `Tokens.readRefresh` has read
   */
  rotate(token: string, claims: TokenClaims): Promise<Rotation> {
    return this.unitOfWork.run(async (transaction): Promise<Rotation> => {
      const now = this.clock.now();
      const digest = tokenDigest(token);
      const spent = await transaction.execute(
        'UPDATE refresh_token SET spent_at = ? WHERE digest = ? AND spent_at IS NULL',
        [instantText(now), digest],
      );
      if (spent.affected === 0) {
        return { outcome: (await this.endByToken(transaction, digest)) === null ? 'refused' : 'reused' };
      }
      const [session] = await transaction.rows<{ account_id: number; created_at: string }>(
        'SELECT login_session.account_id, login_session.created_at FROM login_session ' +
          'JOIN account ON account.id = login_session.account_id WHERE login_session.id = ? AND account.enabled = 1',
        [claims.sid],
      );
      if (session === undefined) return { outcome: 'refused' };
      const expiresAt = this.expiry(Date.parse(session.created_at), now);
      const renewed = await transaction.execute(
        'UPDATE login_session SET used_at = ?, expires_at = ? WHERE id = ? AND ended_at IS NULL',
        [instantText(now), instantText(expiresAt), claims.sid],
      );
      if (renewed.affected === 0 || expiresAt <= now) return { outcome: 'refused' };
      return {
        outcome: 'renewed',
        tokens: await this.newPair(transaction, session.account_id, claims.sid, expiresAt),
      };
    });
  }

  /**
   * Ends the login that a refresh token came of. Without effect for a token that is not ours.
   * @returns the login, and whether the token had been spent; null when it is unknown
   */
  async endByRefreshToken(token: string): Promise<{ sessionId: string; spent: boolean } | null> {
    const digest = tokenDigest(token);
    const known = await this.database.rows('SELECT digest FROM refresh_token WHERE digest = ?', [digest]);
    return known.length === 0
      ? null
      : this.unitOfWork.run((transaction) => this.endByToken(transaction, digest));
  }

  /** Removes what has expired: tokens first, because they refer to their logins. */
  async purge(): Promise<void> {
    const before = instantText(this.clock.now() - KEPT_AFTER_EXPIRY);
    for (const [table, key] of [
      ['refresh_token', 'digest'],
      ['login_session', 'id'],
    ] as const) {
      await removeExpired(this.database, this.unitOfWork, { table, key, instant: 'expires_at' }, before);
    }
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
    await transaction.execute('UPDATE login_session SET ended_at = ? WHERE id = ? AND ended_at IS NULL', [
      instantText(this.clock.now()),
      token.session_id,
    ]);
    return { sessionId: token.session_id, spent: token.spent_at !== null };
  }

  private async endOldest(transaction: Transaction, accountId: number, newest: string): Promise<void> {
    const now = instantText(this.clock.now());
    const older = await transaction.rows<{ id: string }>(
      'SELECT id FROM login_session WHERE account_id = ? AND id <> ? AND ended_at IS NULL AND expires_at > ? ' +
        'ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET ?',
      [accountId, newest, now, MOST_OPEN - 1],
    );
    for (const { id } of older) {
      await transaction.execute('UPDATE login_session SET ended_at = ? WHERE id = ?', [now, id]);
    }
  }

  private async newPair(
    transaction: Transaction,
    accountId: number,
    sessionId: string,
    expiresAt: number,
  ): Promise<TokenPair> {
    const pair = await this.tokens.pair(accountId, sessionId, expiresAt);
    await transaction.execute('INSERT INTO refresh_token (digest, session_id, expires_at) VALUES (?, ?, ?)', [
      tokenDigest(pair.refresh),
      sessionId,
      instantText(expiresAt),
    ]);
    return pair;
  }

  /** A refresh token expires when it has not been used for a while, and with its login at the latest. */
  private expiry(loggedInAt: number, now: number): number {
    const { refreshTokenTtl, refreshTokenIdleTtl } = this.environment;
    return Math.min(loggedInAt + refreshTokenTtl * 1000, now + refreshTokenIdleTtl * 1000);
  }
}
