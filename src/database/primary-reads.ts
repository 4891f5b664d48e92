import type { Pool } from 'mysql2';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerBehindError, isConnectionLost } from './driver-errors.js';
import type { Reads, ReadView, SqlValue } from './reads.js';
import { SELECT_REVISIONS, revisionsOf, type Revisions } from './revisions.js';
import { ServerReads } from './server-reads.js';

/** Milliseconds that readers wait for a node that does not have everything yet. */
const CATCH_UP_WITHIN = 2000;
/** Longest wait (ms) between two questions for its revision. */
const LONGEST_WAIT = 50;
/** Milliseconds after which a server that lacks what it had acknowledged will not get it any more. */
const GONE_BACK_AFTER = 30_000;

/**
 * Reads from the server that is written to. A single server has everything at once. In a cluster another node may have taken its
 * place, which may lack for a moment what the former one had acknowledged: readers wait until it has that, too.
 */
export class PrimaryReads implements Reads {
  private readonly reads: ServerReads;
  /** The newest revision that the server has shown. */
  private shown = Infinity;
  /** Moves when the server may have become another. */
  private doubts = 0;
  private catchingUp: Promise<void> | null = null;
  private behindSince: number | null = null;

  /**
   * @param newest the newest revision that this process knows of
   * @param onRevisionRollback called when the server has lost for good what this process knows of
   */
  constructor(
    pool: () => Pool,
    private readonly newest: () => number,
    private readonly onRevisionRollback: () => void,
  ) {
    this.reads = new ServerReads(pool);
  }

  /** The connections may lead to another node of a cluster from now on. */
  invalidate(): void {
    this.shown = -1;
    this.doubts++;
  }

  /**
   * Waits until the server has everything that this process knows of.
   * @throws ServerBehindError
   */
  async caughtUp(): Promise<void> {
    while (this.shown < this.newest()) {
      this.catchingUp ??= this.catchUp().finally(() => (this.catchingUp = null));
      await this.catchingUp;
    }
  }

  /** The revisions that the server has now, whether or not it has caught up. */
  async revisions(): Promise<Revisions> {
    const { doubts } = this;
    const known = this.newest();
    const revisions = revisionsOf(await this.retried(() => this.reads.arrays(SELECT_REVISIONS)));
    // An answer of a connection that was made before the last doubt says nothing of the server that there is now.
    if (doubts === this.doubts) this.shown = Math.max(this.shown, revisions.all);
    this.watchForLoss(revisions.all, known);
    return revisions;
  }

  /** A database that was put back to an earlier state gives the revisions that are known here to other writes. */
  private watchForLoss(revision: number, known: number): void {
    const now = performance.now();
    if (revision >= known) this.behindSince = null;
    else this.behindSince ??= now;
    if (this.behindSince === null || now - this.behindSince < GONE_BACK_AFTER) return;
    this.behindSince = null;
    this.onRevisionRollback();
  }

  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]> {
    return this.whenCaughtUp(() => this.retried(() => this.reads.rows<T>(sql, values)));
  }

  arrays<T extends unknown[]>(sql: string, values?: readonly SqlValue[]): Promise<T[]> {
    return this.whenCaughtUp(() => this.retried(() => this.reads.arrays<T>(sql, values)));
  }

  view<T>(work: (arrays: ReadView) => Promise<T>): Promise<T> {
    return this.whenCaughtUp(() => this.reads.view(work));
  }

  /** Nearly always at once. */
  private whenCaughtUp<T>(read: () => Promise<T>): Promise<T> {
    return this.shown >= this.newest() ? read() : this.caughtUp().then(read);
  }

  private async catchUp(): Promise<void> {
    const deadline = performance.now() + CATCH_UP_WITHIN;
    for (let wait = 1; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      await this.revisions();
      if (this.shown >= this.newest()) return;
      if (performance.now() > deadline) throw new ServerBehindError();
      await sleep(wait);
    }
  }

  /** A read whose connection breaks is asked once more on another, which is harmless and hides a restart. */
  private async retried<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      return read();
    }
  }
}
