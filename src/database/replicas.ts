import { Logger } from '@nestjs/common';
import type { Pool } from 'mysql2';
import { setTimeout as sleep } from 'node:timers/promises';
import { PoolExhaustedError, driverErrorKind } from './driver-errors.js';
import type { Reads, ReadView, SqlValue } from './reads.js';
import { SELECT_REVISIONS, revisionsOf, type Revisions } from './revisions.js';
import { type ServerAccount, placeOf } from '../config/server-account.js';
import { breakOffAll, poolMetrics } from './server-pool.js';
import { ServerProbe } from './server-probe.js';
import { ServerReads } from './server-reads.js';

/** Milliseconds between two looks at the revision of a replica that is up to date, and of one that is not, at first. */
const LOOK_EVERY = 200;
const LOOK_AGAIN = 2;
/** First and longest wait (ms) before a replica that has failed is tried again. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 5000;
/** Milliseconds for which a replica may be at another revision before that is worth a line in the log. */
const TELL_AFTER = 5000;
/** Errors of a server that has ended a statement because it took too long: another server would not be faster. */
const STATEMENT_TIME = new Set([1969, 3024]);

/** What replicas need to know of the rest. */
export interface ReplicaDependencies {
  /** Makes the pool for a server. */
  poolFor: (account: ServerAccount) => Pool;
  /** Reads from the server that is written to. */
  primary: Reads;
  /** The newest revision that this process knows of. */
  newest: () => number;
  /** Called when a replica is at a revision that this process has not heard of. */
  onNewerRevision: () => void;
}

/** How the replicas are doing, for operators. */
export interface ReplicaMetrics {
  configured: number;
  /** Those that answer. */
  up: number;
  /** Those that are read from. */
  current: number;
  /** Reads since the start that a replica has answered, and those that the writing server had to. */
  reads: number;
  primaryReads: number;
}

/**
 * Reads of published data, spread over replicas. A replica is read from only while it is at the newest revision that this process
 * knows of, so nobody who has heard of a write is answered from before it; where there is no such replica, and when a replica
 * fails, the server that is written to is asked.
 */
export class Replicas implements Reads {
  private readonly all: Replica[];
  private readCount = 0;
  private primaryCount = 0;

  constructor(
    accounts: readonly ServerAccount[],
    private readonly surroundings: ReplicaDependencies,
  ) {
    this.all = accounts.map((account) => new Replica(account, surroundings));
  }

  /** Begins to watch the replicas. */
  start(): void {
    for (const replica of this.all) replica.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((replica) => replica.stop()));
  }

  /** This process knows of a newer revision: looks at once which replicas are at it already. */
  catchUp(): void {
    for (const replica of this.all) replica.look();
  }

  /** The newest revision of all replicas that answer, asked now; null where none does. */
  async revisions(): Promise<Revisions | null> {
    const found = await Promise.all(this.all.map((replica) => replica.ask().catch(() => null)));
    return found.reduce((one, other) => ((other?.all ?? -1) > (one?.all ?? -1) ? other : one), null);
  }

  get figures(): ReplicaMetrics {
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

  view<T>(work: (arrays: ReadView) => Promise<T>): Promise<T> {
    return this.read((reads) => reads.view(work));
  }

  private async read<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    const replica = this.leastBusy();
    if (replica !== null) {
      try {
        const result = await work(replica.reads);
        this.readCount++;
        return result;
      } catch (error) {
        if (!isOfServer(error)) throw error;
        replica.fail(error);
      }
    }
    this.primaryCount++;
    return work(this.surroundings.primary);
  }

  /** Of the replicas that can be read from the one with the least to do; of equals any, so that all get their share. */
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

/** Whether a read failed for a reason that another server may not have. */
function isOfServer(error: unknown): error is Error {
  const kind = driverErrorKind(error);
  if (kind === null || error instanceof PoolExhaustedError) return false;
  return !STATEMENT_TIME.has((error as { errno?: number }).errno ?? 0);
}

/** A server that follows the one that is written to. */
class Replica {
  readonly reads: Reads;
  private readonly logger = new Logger('Database');
  private readonly name: string;
  private readonly pool: Pool;
  private readonly probe: ServerProbe;
  private readonly stopped = new AbortController();
  /** Its revision when it was last asked; null while it does not answer. */
  private revision: number | null = null;
  /** Since when it has not been at the revision that it should be at. */
  private behindSince: number | null = null;
  private toldBehind = false;
  private toldDown = false;
  private wake: () => void = () => undefined;

  constructor(
    account: ServerAccount,
    private readonly surroundings: ReplicaDependencies,
  ) {
    this.name = `The replica ${placeOf(account)}`;
    this.probe = new ServerProbe(account);
    this.pool = surroundings.poolFor(account);
    this.reads = new ServerReads(() => this.pool);
  }

  get up(): boolean {
    return this.revision !== null;
  }

  /** Whether it can be read from. One that is ahead can not be either: this process has yet to hear of what it shows. */
  get current(): boolean {
    return this.revision === this.surroundings.newest();
  }

  /** Reads under way. */
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
    // A server that hangs would not take its leave.
    breakOffAll(this.pool);
    await new Promise<void>((resolve) => this.pool.end(() => resolve()));
  }

  /** Looks at its revision now, if it answers at all. */
  look(): void {
    this.wake();
  }

  async ask(): Promise<Revisions> {
    return revisionsOf(await this.probe.ask(SELECT_REVISIONS));
  }

  /** Nothing more is read from it until it answers again, and what is under way there is given up. */
  fail(error: Error): void {
    if (!this.toldDown)
      this.logger.warn(`${this.name} does not answer, so others are read from: ${error.message}`);
    this.toldDown = true;
    this.revision = null;
    this.probe.close();
    breakOffAll(this.pool);
    this.wake();
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopped;
    for (let wait = FIRST_WAIT; !signal.aborted;) {
      try {
        await this.watch(() => (wait = FIRST_WAIT));
      } catch (error) {
        if (signal.aborted) return;
        this.fail(error as Error);
        await sleep(wait * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(
          () => undefined,
        );
        wait = Math.min(wait * 2, LONGEST_WAIT);
      }
    }
  }

  /** Follows its revision until that fails. */
  private async watch(answered: () => void): Promise<void> {
    for (let again = LOOK_AGAIN; !this.stopped.signal.aborted;) {
      const { all } = await this.ask();
      answered();
      this.revision = all;
      if (all > this.surroundings.newest()) this.surroundings.onNewerRevision();
      this.tell();
      if (this.current) again = LOOK_AGAIN;
      await this.pause(this.current ? LOOK_EVERY : again);
      again = Math.min(again * 2, LOOK_EVERY);
      if (this.revision === null) throw new Error('A read has failed.');
    }
  }

  /** Waits, or until `wake` is called. */
  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** A line for what lasts: a replica is behind for a moment after every write. */
  private tell(): void {
    if (this.toldDown) this.logger.log(`${this.name} answers again.`);
    this.toldDown = false;
    if (this.current) {
      if (this.toldBehind) this.logger.log(`${this.name} is up to date again.`);
      this.toldBehind = false;
      this.behindSince = null;
      return;
    }
    const now = performance.now();
    this.behindSince ??= now;
    if (this.toldBehind || now - this.behindSince < TELL_AFTER) return;
    this.toldBehind = true;
    const newest = this.surroundings.newest();
    this.logger.warn(
      this.revision! < newest
        ? `${this.name} is at revision ${this.revision} of ${newest} and is not read from: is its replication running?`
        : `${this.name} is at revision ${this.revision}, which the writing server has not reached: is it a replica of it?`,
    );
  }
}
