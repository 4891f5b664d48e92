import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { placeholders } from '../../database/sql.js';
import { Clock, instantText } from '../../platform/clock/clock.js';
import type { Caller } from '../../platform/http/caller.js';
import type { Role } from '../../platform/http/routes.js';
import { Environment } from '../../config/environment.js';
import { Database } from '../../database/database.js';
import { removeExpired } from '../../ledger/expired-rows.js';
import { UnitOfWork } from '../../ledger/unit-of-work.js';
import { ProviderSession } from './provider-session.entity.js';

/** An account of the identity provider that has a role here. */
export type ProviderAccount = Pick<Caller, 'issuer' | 'subject'> & { role: Role };

/**
 * Sessions of accounts of the identity provider, by the digests of their tokens. Whether an account
 * is still enabled is not known here, so its session is not extended by use: after the idle time it
 * has to be signed in again, which the provider allows or not.
 */
@Injectable()
export class ProviderSessions {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /** @param deadline when it must be committed @returns the id of the session */
  async open(digest: string, account: ProviderAccount, deadline: number): Promise<string> {
    const id = randomUUID();
    const { refreshTokenTtl, refreshTokenIdleTtl } = this.environment;
    const expires_at = instantText(this.clock.now() + Math.min(refreshTokenTtl, refreshTokenIdleTtl) * 1000);
    await this.unitOfWork.run(
      (transaction) => transaction.insert(ProviderSession, { digest, id, ...account, expires_at }),
      deadline,
    );
    return id;
  }

  /** The session of a token if it is open, of the provider that the service has now. */
  async find(digests: readonly string[]): Promise<{ id: string; caller: Caller } | null> {
    const issuer = this.environment.identityProvider?.issuer;
    if (issuer === undefined) return null;
    const [row] = await this.database.rows<ProviderSession>(
      'SELECT id, issuer, subject, role FROM provider_session ' +
        `WHERE digest IN (${placeholders(digests.length)}) AND issuer = ? AND expires_at > ?`,
      [...digests, issuer, instantText(this.clock.now())],
    );
    if (row === undefined) return null;
    const { id, subject, role } = row;
    return { id, caller: { accountId: null, username: subject, role, tokenId: id, issuer, subject } };
  }

  /** @returns the id of the session that has ended; null for a token that is not known */
  async end(digests: readonly string[], deadline: number): Promise<string | null> {
    return this.unitOfWork.run(async (transaction) => {
      const [row] = await transaction.rows<{ id: string; digest: string }>(
        `SELECT id, digest FROM provider_session WHERE digest IN (${placeholders(digests.length)})`,
        [...digests],
      );
      if (row !== undefined) await transaction.manager.delete(ProviderSession, row.digest);
      return row?.id ?? null;
    }, deadline);
  }

  /** Removes expired sessions. */
  purge(): Promise<void> {
    const now = instantText(this.clock.now());
    return removeExpired(this.database, this.unitOfWork, ProviderSession, 'expires_at', now);
  }
}
