import { Injectable, Logger } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { randomBytes } from 'node:crypto';
import { placeholders } from '../../database/sql.js';
import { Clock, instantText } from '../../platform/clock/clock.js';
import type { Caller } from '../../platform/http/caller.js';
import type { Role } from '../../platform/http/routes.js';
import { Database } from '../../database/database.js';
import { UnitOfWork, type Transaction } from '../../ledger/unit-of-work.js';
import { SigningKeys } from '../tokens/signing-keys.js';
import { LoginSession } from './login-session.entity.js';
import { LoginSessions } from './login-sessions.js';
import { type ProviderAccount, ProviderSessions } from './provider-sessions.js';
import { RefreshToken } from './refresh-token.entity.js';

const TOKEN_BYTES = 32;
/** Distinguishes the tokens from refresh tokens, whose digests are in the same table. */
const TOKEN = /^[\w-]{43}$/;
/** Milliseconds of use that need not be recorded. */
const RENEWAL_INTERVAL = 60_000;

const newToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

/** The open session of a cookie. */
export interface CookieSession {
  id: string;
  caller: Caller;
}

interface SessionRow {
  digest: string;
  id: string;
  account_id: number;
  username: string;
  role: Role;
  created_at: string;
  used_at: string;
}

/**
 * Login sessions of browsers. Their token, 256 random bits, is in a cookie and is not exchanged as
 * refresh tokens are; it ends at the same times. Only its digest is stored, with those of refresh
 * tokens.
 */
@Injectable()
export class CookieSessions {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly sessions: LoginSessions,
    private readonly providerSessions: ProviderSessions,
    private readonly clock: Clock,
    private readonly keys: SigningKeys,
  ) {}

  /** Opens a session in the transaction of a login. @returns its id and its token */
  async open(transaction: Transaction, accountId: number): Promise<{ id: string; credential: string }> {
    const { id, expiresAt } = await this.sessions.begin(transaction, accountId);
    const credential = newToken();
    await transaction.insert(RefreshToken, {
      digest: this.keys.sessionDigests(credential)[0],
      session_id: id,
      expires_at: instantText(expiresAt),
    });
    return { id, credential };
  }

  /** Opens a session of an account of the identity provider. @returns its id and its token */
  async openOfProvider(
    account: ProviderAccount,
    deadline: number,
  ): Promise<{ id: string; credential: string }> {
    const credential = newToken();
    return {
      id: await this.providerSessions.open(this.keys.sessionDigests(credential)[0], account, deadline),
      credential,
    };
  }

  /**
   * The session of a token, if it is open and its account enabled: queried on every request, so
   * that ended sessions and disabled accounts lose access at once. Its use is recorded.
   */
  async find(token: string): Promise<CookieSession | null> {
    if (!TOKEN.test(token)) return null;
    const digests = this.keys.sessionDigests(token);
    const now = this.clock.now();
    const [row] = await this.database.rows<SessionRow>(
      'SELECT refresh_token.digest, login_session.id, account.id AS account_id, account.username, account.role, ' +
        'login_session.created_at, login_session.used_at FROM refresh_token ' +
        'JOIN login_session ON login_session.id = refresh_token.session_id ' +
        'JOIN account ON account.id = login_session.account_id ' +
        `WHERE refresh_token.digest IN (${placeholders(digests.length)}) ` +
        'AND refresh_token.expires_at > ? ' +
        'AND login_session.ended_at IS NULL AND account.enabled = 1',
      [...digests, instantText(now)],
    );
    if (row === undefined) return this.providerSessions.find(digests);
    if (now - Date.parse(row.used_at) >= RENEWAL_INTERVAL) await this.renew(row, now);
    const { id, account_id: accountId, username, role } = row;
    return { id, caller: { accountId, username, role, tokenId: id, issuer: '', subject: '' } };
  }

  /** Ends the session of a token. @returns its id; null for a token that is not known */
  async end(token: string, deadline: number): Promise<string | null> {
    if (!TOKEN.test(token)) return null;
    const digests = this.keys.sessionDigests(token);
    const ended = await this.unitOfWork.run(async (transaction) => {
      const [found] = await transaction.rows<{ id: string }>(
        `SELECT session_id AS id FROM refresh_token WHERE digest IN (${placeholders(digests.length)})`,
        digests,
      );
      if (found === undefined) return null;
      await transaction.manager.update(
        LoginSession,
        { id: found.id, ended_at: IsNull() },
        { ended_at: instantText(this.clock.now()) },
      );
      return found.id;
    }, deadline);
    return ended ?? this.providerSessions.end(digests, deadline);
  }

  /** Reading goes on where nothing can be written, until the session expires. */
  private async renew({ id, created_at, digest }: SessionRow, now: number): Promise<void> {
    const expires_at = instantText(this.sessions.expiry(Date.parse(created_at), now));
    try {
      await this.unitOfWork.run(async (transaction) => {
        await transaction.manager.update(LoginSession, { id }, { used_at: instantText(now), expires_at });
        await transaction.manager.update(RefreshToken, { digest }, { expires_at });
      });
    } catch (error) {
      this.logger.warn(`Could not record the use of a session: ${(error as Error).message}`);
    }
  }
}
