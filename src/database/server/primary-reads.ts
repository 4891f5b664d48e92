import type { Pool } from 'mysql2';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerBehindError, isConnectionLost } from '../errors/driver-errors.js';
import type { Reads, SnapshotReader, SqlValue } from '../reads.js';
import { SELECT_REVISIONS, parseRevisions, type Revisions } from '../revisions.js';
import { ServerReads } from './server-reads.js';

/** Milliseconds that reads wait for a node that lags behind. */
const CATCH_UP_TIMEOUT = 2000;
/** Maximum milliseconds between two polls of its revision. */
const MAX_POLL_INTERVAL = 50;
/** Milliseconds after which a server that lags behind counts as rolled back. */
const ROLLBACK_AFTER = 30_000;

/**
 * Reads from the primary. A single server is always up to date. In a cluster another node may have
 * taken over that briefly lacks writes acknowledged by the previous one: reads wait until it has
 * them.
 */
export class PrimaryReads implements Reads {
  private readonly reads: ServerReads;
  /** The newest revision that the server has returned. */
  private serverRevision = Infinity;
  /** Incremented when the connections may lead to another server. */
  private generation = 0;
  private catchingUp: Promise<void> | null = null;
  private behindSince: number | null = null;

  /**
   * @param newestRevision the newest revision that this process has seen
   * @param onRevisionRollback called when the server has permanently lost writes that this process
   * has seen
   */
  constructor(
    pool: () => Pool,
    private readonly newestRevision: () => number,
    private readonly onRevisionRollback: () => void,
  ) {
    this.reads = new ServerReads(pool);
  }

  /** From now on, the connections may lead to another node of a cluster. */
  invalidate(): void {
    this.serverRevision = -1;
    this.generation++;
  }

  /**
   * Waits until the server is at the newest revision that this process has seen.
   * @throws ServerBehindError
   */
  async waitUntilCaughtUp(): Promise<void> {
    while (this.serverRevision < this.newestRevision()) {
      this.catchingUp ??= this.catchUp().finally(() => (this.catchingUp = null));
      await this.catchingUp;
    }
  }

  /** Reads the current revisions, whether or not the server has caught up. */
  async revisions(): Promise<Revisions> {
    const { generation } = this;
    const expected = this.newestRevision();
    const revisions = parseRevisions(await this.withRetry(() => this.reads.arrays(SELECT_REVISIONS)));
    // A result from before the last `invalidate` may come from another server.
    if (generation === this.generation) this.serverRevision = Math.max(this.serverRevision, revisions.all);
    this.detectRollback(revisions.all, expected);
    return revisions;
  }

  /**
   * A database restored to an earlier state would reuse revisions that this process has already
   * seen.
   */
  private detectRollback(revision: number, expected: number): void {
    const now = performance.now();
    if (revision >= expected) this.behindSince = null;
    else this.behindSince ??= now;
    if (this.behindSince === null || now - this.behindSince < ROLLBACK_AFTER) return;
    this.behindSince = null;
    this.onRevisionRollback();
  }

  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]> {
    return this.whenCaughtUp(() => this.withRetry(() => this.reads.rows<T>(sql, values)));
  }

  arrays<T extends unknown[]>(sql: string, values?: readonly SqlValue[]): Promise<T[]> {
    return this.whenCaughtUp(() => this.withRetry(() => this.reads.arrays<T>(sql, values)));
  }

  readSnapshot<T>(work: (arrays: SnapshotReader) => Promise<T>): Promise<T> {
    return this.whenCaughtUp(() => this.reads.readSnapshot(work));
  }

  private whenCaughtUp<T>(read: () => Promise<T>): Promise<T> {
    return this.serverRevision >= this.newestRevision() ? read() : this.waitUntilCaughtUp().then(read);
  }

  private async catchUp(): Promise<void> {
    const deadline = performance.now() + CATCH_UP_TIMEOUT;
    for (let wait = 1; ; wait = Math.min(wait * 2, MAX_POLL_INTERVAL)) {
      await this.revisions();
      if (this.serverRevision >= this.newestRevision()) return;
      if (performance.now() > deadline) throw new ServerBehindError();
      await sleep(wait);
    }
  }

  /** Retries a read once if its connection is lost, which hides a restart of the server. */
  private async withRetry<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      return read();
    }
  }
}
