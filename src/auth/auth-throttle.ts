import { Injectable } from '@nestjs/common';
import { Clock, instantText } from '../common/dates/clock.js';
import { Throttled } from '../common/errors/api-error.js';
import { Environment } from '../config/environment.js';
import { Database, type SqlValue } from '../database/database.js';
import { removeExpired } from '../database/expired-rows.js';
import { UnitOfWork, type Transaction } from '../database/unit-of-work.js';
import type { AuthAttempt } from './auth-attempt.entity.js';

const MINUTE = 60_000;
/** Attempts that are kept in all; the oldest give way. */
const MOST_KEPT = 50_000;
/** Milliseconds by which the clocks of two processes may differ. Attempts of a later future were dated by a clock since set back. */
const CLOCK_TOLERANCE = MINUTE;

/** Who tries what. */
export type Attempt = Pick<AuthAttempt, 'kind' | 'network' | 'name_digest'>;

interface Limit {
  most: number;
  /** Milliseconds. */
  window: number;
  /** Counts the attempts on this name alone, or all of the network. */
  of: 'name' | 'network';
}

type Rows = <T>(sql: string, values: readonly SqlValue[]) => Promise<T[]>;

/**
 * Counts failed logins and refreshes, in the database, so that all processes share the counts. The windows slide: an attempt
 * counts for so long after it was made, and nothing outlives the window, so nobody can lock a colleague out for good.
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
        { most: 10, window: 15 * MINUTE, of: 'name' },
        { most: 100, window: 15 * MINUTE, of: 'network' },
      ],
      refresh:
        environment.throttleRefreshes === 0
          ? []
          : [{ most: environment.throttleRefreshes, window: MINUTE, of: 'network' }],
    };
  }

  /**
   * Refuses an attempt of which there have been too many, without counting it. Most of a flood ends here, without a place in the
   * queue of writes.
   * @throws Throttled
   */
  async refuse(attempt: Attempt): Promise<void> {
    await this.check(attempt, (sql, values) => this.database.rows(sql, values));
  }

  /**
   * Counts an attempt before it is made: counted afterwards, any number could be made at the same time.
   * @returns what `takeBack` needs; null where nothing is counted
   * @throws Throttled when there have been too many, without counting this one
   */
  async count(attempt: Attempt): Promise<number | null> {
    if (this.limits[attempt.kind].length === 0) return null;
    return this.unitOfWork.run(async (transaction) => {
      // One at a time. Every write locks this row in the end, so taking it first cannot make a deadlock.
      if (!transaction.embedded)
        await transaction.rows('SELECT id FROM data_revision WHERE id = 1 FOR UPDATE');
      await this.check(attempt, (sql, values) => transaction.rows(sql, values));
      const { insertId } = await transaction.execute(
        'INSERT INTO auth_attempt (kind, network, name_digest, at) VALUES (?, ?, ?, ?)',
        [attempt.kind, attempt.network, attempt.name_digest, instantText(this.clock.now())],
      );
      await transaction.execute('DELETE FROM auth_attempt WHERE id <= ?', [insertId - MOST_KEPT]);
      return insertId;
    });
  }

  /** Forgets an attempt that turned out to be no failure. */
  async takeBack(transaction: Transaction, counted: number): Promise<void> {
    await transaction.execute('DELETE FROM auth_attempt WHERE id = ?', [counted]);
  }

  /** Removes attempts that no longer count. */
  async purge(): Promise<void> {
    const before = instantText(this.clock.now() - 15 * MINUTE);
    await removeExpired(
      this.database,
      this.unitOfWork,
      { table: 'auth_attempt', key: 'id', instant: 'at' },
      before,
    );
  }

  private async check(attempt: Attempt, rows: Rows): Promise<void> {
    const now = this.clock.now();
    for (const { most, window, of } of this.limits[attempt.kind]) {
      // The attempt that has to leave the window before there is room for another.
      const [blocking] = await rows<{ at: string }>(
        'SELECT at FROM auth_attempt WHERE network = ? AND at > ? AND at <= ? AND kind = ?' +
          `${of === 'name' ? ' AND name_digest = ?' : ''} ORDER BY at DESC LIMIT 1 OFFSET ${most - 1}`,
        [
          attempt.network,
          instantText(now - window),
          instantText(now + CLOCK_TOLERANCE),
          attempt.kind,
          ...(of === 'name' ? [attempt.name_digest] : []),
        ],
      );
      if (blocking) throw new Throttled((Date.parse(blocking.at) + window - now) / 1000);
    }
  }
}
