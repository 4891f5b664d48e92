import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { Clock, instantText } from '../../platform/clock/clock.js';
import { Throttled } from '../../platform/errors/api-error.js';
import { Environment } from '../../config/environment.js';
import { Database, type SqlValue } from '../../database/database.js';
import { removeExpired } from '../../ledger/expired-rows.js';
import { UnitOfWork, type Transaction } from '../../ledger/unit-of-work.js';
import { AuthAttempt } from './auth-attempt.entity.js';

const MINUTE = 60_000;
/** Stored attempts; the oldest are removed first. */
const MAX_ATTEMPTS = 50_000;
/**
 * Milliseconds by which the clocks of two processes may differ. Attempts further in the future are
 * ignored: the clock that dated them has been set back since.
 */
const CLOCK_TOLERANCE = MINUTE;

export type Attempt = Pick<AuthAttempt, 'kind' | 'network' | 'name_digest'>;

interface Limit {
  max: number;
  /** Milliseconds. */
  window: number;
  /** Whether the attempts on one user name are counted, or all attempts from the network. */
  per: 'name' | 'network';
}

type Query = <T>(sql: string, values: readonly SqlValue[]) => Promise<T[]>;

/**
 * Rate limits for failed logins and for refreshes, in sliding windows. The attempts are stored in
 * the database, so all processes share the counts. Nothing outlives the window, so nobody can lock
 * a colleague out for good.
 */
@Injectable()
export class AuthThrottle {
  private readonly limits: Record<Attempt['kind'], Limit[]>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    environment: Environment,
  ) {
    this.limits = {
      login: [
        { max: 10, window: 15 * MINUTE, per: 'name' },
        { max: 100, window: 15 * MINUTE, per: 'network' },
      ],
      refresh:
        environment.throttleRefreshes === 0
          ? []
          : [{ max: environment.throttleRefreshes, window: MINUTE, per: 'network' }],
    };
  }

  /**
   * Rejects an attempt over the limit without recording it. Stops most of a flood before it takes
   * up the write queue.
   * @throws Throttled
   */
  async assertAllowed(attempt: Attempt): Promise<void> {
    await this.checkLimits(attempt, (sql, values) => this.database.rows(sql, values));
  }

  /**
   * Records an attempt before it is made: recorded afterwards, any number of concurrent attempts
   * would pass.
   * @param deadline when it must be committed
   * @returns the id to pass to `release`; null when there is no limit
   * @throws Throttled over the limit; the attempt is then not recorded
   */
  async record(attempt: Attempt, deadline: number): Promise<number | null> {
    if (this.limits[attempt.kind].length === 0) return null;
    return this.unitOfWork.run(async (transaction) => {
      // Serializes the attempts. Every transaction locks this row last, so locking it first cannot
      // cause a deadlock.
      if (!transaction.embedded)
        await transaction.rows('SELECT id FROM data_revision WHERE id = 1 FOR UPDATE');
      await this.checkLimits(attempt, (sql, values) => transaction.rows(sql, values));
      const id = await transaction.insert(AuthAttempt, { ...attempt, at: instantText(this.clock.now()) });
      await transaction.manager.delete(AuthAttempt, { id: LessThanOrEqual(id - MAX_ATTEMPTS) });
      return id;
    }, deadline);
  }

  /** Removes a recorded attempt that succeeded. */
  async release(transaction: Transaction, attemptId: number): Promise<void> {
    await transaction.manager.delete(AuthAttempt, attemptId);
  }

  /** Removes attempts that are older than every window. */
  async purge(): Promise<void> {
    const before = instantText(this.clock.now() - 15 * MINUTE);
    await removeExpired(this.database, this.unitOfWork, AuthAttempt, 'at', before);
  }

  private async checkLimits(attempt: Attempt, query: Query): Promise<void> {
    const now = this.clock.now();
    for (const { max, window, per } of this.limits[attempt.kind]) {
      // The attempt that must leave the window before another is allowed.
      const [blocking] = await query<{ at: string }>(
        'SELECT at FROM auth_attempt WHERE network = ? AND at > ? AND at <= ? AND kind = ?' +
          `${per === 'name' ? ' AND name_digest = ?' : ''} ORDER BY at DESC LIMIT 1 OFFSET ${max - 1}`,
        [
          attempt.network,
          instantText(now - window),
          instantText(now + CLOCK_TOLERANCE),
          attempt.kind,
          ...(per === 'name' ? [attempt.name_digest] : []),
        ],
      );
      if (blocking) throw new Throttled((Date.parse(blocking.at) + window - now) / 1000);
    }
  }
}
