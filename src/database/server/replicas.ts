import { Logger } from '@nestjs/common';
import type { Pool } from 'mysql2';
import { setTimeout as sleep } from 'node:timers/promises';
import { PoolExhaustedError, driverErrorKind } from '../errors/driver-errors.js';
import type { Reads, SnapshotReader, SqlValue } from '../reads.js';
import { SELECT_REVISIONS, parseRevisions, type Revisions } from '../revisions.js';
import { type ServerAccount, hostAndPort } from '../../config/server-account.js';
import { abortConnections, poolMetrics } from './server-pool.js';
import { ServerProbe } from './server-probe.js';
import { ServerReads } from './server-reads.js';

/**
 * Milliseconds between two polls of a replica's revision: while up to date, and at first when
 * behind.
 */
const POLL_INTERVAL = 200;
const MIN_POLL_INTERVAL = 2;
/** Exponential backoff before a failed replica is retried, in milliseconds. */
const MIN_RETRY_DELAY = 500;
const MAX_RETRY_DELAY = 5000;
/** Milliseconds for which a replica may lag before that is logged. */
const LOG_LAG_AFTER = 5000;
/** Errors of statements that took too long: another server would not be faster. */
const STATEMENT_TIMEOUTS = new Set([1969, 3024]);

/** What `Replicas` needs from the database. */
interface ReplicaDependencies {
  /** Creates the connection pool of a server. */
  createPool: (account: ServerAccount) => Pool;
  /** Reads from the primary. */
  primary: Reads;
  /** The newest revision that this process has seen. */
  newestRevision: () => number;
  /** Called when a replica has a newer revision than this process has seen. */
  onNewerRevision: () => void;
}

/** Metrics of the replicas. */
export interface ReplicaMetrics {
  configured: number;
  /** Replicas that respond. */
  up: number;
  /** Replicas that are up to date and read from. */
  current: number;
  /** Reads since the start that a replica served, and those that the primary served instead. */
  reads: number;
  primaryReads: number;
}

/**
 * Distributes reads of published data over replicas. A replica is read from only while it is at the
 * newest revision that this process has seen, so clients always read their own acknowledged writes.
 * Without such a replica, and when one fails, the primary is read.
 */
export class Replicas implements Reads {
  private readonly all: Replica[];
  private readCount = 0;
  private primaryCount = 0;

  constructor(
    accounts: readonly ServerAccount[],
    private readonly dependencies: ReplicaDependencies,
  ) {
    this.all = accounts.map((account) => new Replica(account, dependencies));
  }

  /** Starts to poll the replicas. */
  start(): void {
    for (const replica of this.all) replica.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((replica) => replica.stop()));
  }

  /** Polls all replicas at once, because there is a newer revision. */
  pollNow(): void {
    for (const replica of this.all) replica.pollNow();
  }

  /** Queries the newest revision of all replicas; null if none responds. */
  async revisions(): Promise<Revisions | null> {
    const found = await Promise.all(this.all.map((replica) => replica.queryRevisions().catch(() => null)));
    return found.reduce((one, other) => ((other?.all ?? -1) > (one?.all ?? -1) ? other : one), null);
  }

  get metrics(): ReplicaMetrics {
    return {
      configured: this.all.length,
      up: this.all.filter(({ up }) => up).length,
      current: this.all.filter(({ current }) => current).length,
      reads: this.readCount,
      primaryReads: this.primaryCount,
    };
  }

  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]> {
    return this.read((reads) => reads.rows<T>(sql, values));
  }

  arrays<T extends unknown[]>(sql: string, values?: readonly SqlValue[]): Promise<T[]> {
    return this.read((reads) => reads.arrays<T>(sql, values));
  }

  readSnapshot<T>(work: (arrays: SnapshotReader) => Promise<T>): Promise<T> {
    return this.read((reads) => reads.readSnapshot(work));
  }

  private async read<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    const replica = this.leastBusy();
    if (replica !== null) {
      try {
        const result = await work(replica.reads);
        this.readCount++;
        return result;
      } catch (error) {
        if (!isServerFailure(error)) throw error;
        replica.markDown(error);
      }
    }
    this.primaryCount++;
    return work(this.dependencies.primary);
  }

  /** The current replica with the lowest load; ties are broken at random to share the load. */
  private leastBusy(): Replica | null {
    let best: Replica | null = null;
    let least = Infinity;
    for (const replica of this.all) {
      if (!replica.current) continue;
      const load = replica.load + Math.random();
      if (load < least) [best, least] = [replica, load];
    }
    return best;
  }
}

/** Whether a read failed because of the server, so that another one may succeed. */
function isServerFailure(error: unknown): error is Error {
  const kind = driverErrorKind(error);
  if (kind === null || error instanceof PoolExhaustedError) return false;
  return !STATEMENT_TIMEOUTS.has((error as { errno?: number }).errno ?? 0);
}

/** A server that replicates the primary. */
class Replica {
  readonly reads: Reads;
  private readonly logger = new Logger('Database');
  private readonly name: string;
  private readonly pool: Pool;
  private readonly probe: ServerProbe;
  private readonly stopped = new AbortController();
  /** Its revision at the last poll; null while it does not respond. */
  private revision: number | null = null;
  /** Since when it has been at another revision than the newest. */
  private behindSince: number | null = null;
  private loggedBehind = false;
  private loggedDown = false;
  private wake: () => void = () => undefined;

  constructor(
    account: ServerAccount,
    private readonly dependencies: ReplicaDependencies,
  ) {
    this.name = `The replica ${hostAndPort(account)}`;
    this.probe = new ServerProbe(account);
    this.pool = dependencies.createPool(account);
    this.reads = new ServerReads(() => this.pool);
  }

  get up(): boolean {
    return this.revision !== null;
  }

  /**
   * Whether it can be read from. Not if it is ahead either: the caches of this process are older.
   */
  get current(): boolean {
    return this.revision === this.dependencies.newestRevision();
  }

  /** Reads in progress or waiting for a connection. */
  get load(): number {
    const { busy, waiting } = poolMetrics(this.pool);
    return busy + waiting;
  }

  start(): void {
    void this.follow();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    this.wake();
    this.probe.close();
    // A hanging server would not answer the driver's quit command.
    abortConnections(this.pool);
    await new Promise<void>((resolve) => this.pool.end(() => resolve()));
  }

  /** Polls its revision now instead of at the next interval. */
  pollNow(): void {
    this.wake();
  }

  async queryRevisions(): Promise<Revisions> {
    return parseRevisions(await this.probe.query(SELECT_REVISIONS));
  }

  /** Stops reading from it until it responds again, and aborts the reads in progress. */
  markDown(error: Error): void {
    if (!this.loggedDown)
      this.logger.warn(`${this.name} does not respond and is not read from: ${error.message}`);
    this.loggedDown = true;
    this.revision = null;
    this.probe.close();
    abortConnections(this.pool);
    this.wake();
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopped;
    for (let delay = MIN_RETRY_DELAY; !signal.aborted;) {
      try {
        await this.poll(() => (delay = MIN_RETRY_DELAY));
      } catch (error) {
        if (signal.aborted) return;
        this.markDown(error as Error);
        await sleep(delay * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(
          () => undefined,
        );
        delay = Math.min(delay * 2, MAX_RETRY_DELAY);
      }
    }
  }

  /** Polls its revision until that fails. */
  private async poll(onAnswer: () => void): Promise<void> {
    for (let interval = MIN_POLL_INTERVAL; !this.stopped.signal.aborted;) {
      const { all } = await this.queryRevisions();
      onAnswer();
      this.revision = all;
      if (all > this.dependencies.newestRevision()) this.dependencies.onNewerRevision();
      this.logState();
      if (this.current) interval = MIN_POLL_INTERVAL;
      await this.pause(this.current ? POLL_INTERVAL : interval);
      interval = Math.min(interval * 2, POLL_INTERVAL);
      if (this.revision === null) throw new Error('A read has failed.');
    }
  }

  /** Waits for the given time or until `wake` is called. */
  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Logs lasting changes only: a replica lags for a moment after every write. */
  private logState(): void {
    if (this.loggedDown) this.logger.log(`${this.name} responds again.`);
    this.loggedDown = false;
    if (this.current) {
      if (this.loggedBehind) this.logger.log(`${this.name} is up to date again.`);
      this.loggedBehind = false;
      this.behindSince = null;
      return;
    }
    const now = performance.now();
    this.behindSince ??= now;
    if (this.loggedBehind || now - this.behindSince < LOG_LAG_AFTER) return;
    this.loggedBehind = true;
    const newest = this.dependencies.newestRevision();
    this.logger.warn(
      this.revision! < newest
        ? `${this.name} is at revision ${this.revision} of ${newest} and is not read from: check that its replication is running.`
        : `${this.name} is at revision ${this.revision}, which the primary has not reached: check that it is a replica of the primary.`,
    );
  }
}
