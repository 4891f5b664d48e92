import type { Database } from './database.js';

/** Which part of the data a write changes: the reference tables, series with their points, or exchange rates and indices. */
export type RevisionArea = 'references' | 'series' | 'rates';

/** The data revision, and the revision at which each area last changed. */
export interface Revisions {
  readonly all: number;
  readonly references: number;
  readonly series: number;
  readonly rates: number;
}

/** Milliseconds between two looks for writes of other processes. */
const POLL_INTERVAL = 200;
/** A known revision older than this (ms) is asked for again before it is used: the promise to readers is one second. */
const FRESH_FOR = 800;

const SELECT =
  'SELECT revision, reference_revision, series_revision, rates_revision FROM data_revision WHERE id = 1';

/**
 * The newest data revision that this process knows. A write of this process is known with its commit, a write of another
 * within a fifth of a second. Caches are keyed by it and never cleared by hand.
 */
export class DataRevision {
  private known: Revisions | null = null;
  private seenAt = -Infinity;
  private timer: NodeJS.Timeout | null = null;
  private asking: Promise<Revisions> | null = null;

  constructor(private readonly database: Database) {}

  /** The known revision, or null when the database has not confirmed it lately. Costs nothing: for the warm path. */
  current(): Revisions | null {
    return performance.now() - this.seenAt <= FRESH_FOR ? this.known : null;
  }

  /** The known revision, asked of the database where it is not fresh. */
  async fresh(): Promise<Revisions> {
    return this.current() ?? this.ask();
  }

  /** Asks the database now. Calls at the same time share one question. */
  ask(): Promise<Revisions> {
    this.asking ??= this.read().finally(() => (this.asking = null));
    return this.asking;
  }

  /** Takes note of a revision that this process has committed. */
  committed(revisions: Revisions): void {
    if (this.known === null || revisions.all > this.known.all) this.known = revisions;
    this.seenAt = performance.now();
  }

  /** Begins to look for writes of other processes. */
  watch(): void {
    this.timer ??= setInterval(() => void this.ask().catch(() => undefined), POLL_INTERVAL).unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private async read(): Promise<Revisions> {
    const [row] = await this.database.arrays<[number, number, number, number]>(SELECT);
    if (row === undefined) throw new Error('The data revision is missing: the database is not migrated.');
    const [all, references, series, rates] = row.map(Number) as [number, number, number, number];
    this.committed({ all, references, series, rates });
    return this.known!;
  }
}
