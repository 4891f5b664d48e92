import { WorkerPeers } from '../../platform/workers/worker-peers.js';
import type { Database } from '../../database/database.js';
import { SCHEMA_VERSION } from '../../database/migrations/index.js';
import type { Revisions } from '../../database/revisions.js';

export type { RevisionArea, Revisions } from '../../database/revisions.js';

/** Milliseconds between two polls for writes of other processes. */
const POLL_INTERVAL = 200;
/** Topic under which the workers announce their commits. */
const REVISIONS_TOPIC = 'revisions';

/**
 * The newest data revision that this process has seen. A write by this process or another worker of
 * this machine is seen before it is acknowledged to its client; a write by another machine within a
 * fifth of a second. Caches are keyed by the revision and never cleared explicitly.
 */
export class DataRevision {
  private latest: Revisions | null = null;
  /** Whether this release may write to the schema of the database, as last seen. */
  writable = true;
  /**
   * Milliseconds until a revision must be confirmed again: replies may be at most one second stale.
   */
  maxAge = 800;
  /** When `latest` was last known to be the newest. */
  private confirmedAt = -Infinity;
  private timer: NodeJS.Timeout | null = null;
  private pending: Promise<Revisions> | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly database: Database,
    private readonly peers = new WorkerPeers(null),
  ) {
    peers.onRequest(REVISIONS_TOPIC, (revisions) => void this.accept(revisions as Revisions));
    database.onNewerRevision = () => void this.refresh().catch(() => undefined);
  }

  /**
   * The latest revision, or null if it has not been confirmed recently. Synchronous, for cached
   * replies.
   */
  current(): Revisions | null {
    return performance.now() - this.confirmedAt <= this.maxAge ? this.latest : null;
  }

  /** The number of the latest revision seen, even if it is not confirmed; 0 before the first. */
  get seen(): number {
    return this.latest?.all ?? 0;
  }

  /** The latest revision, read from the database unless it was confirmed recently. */
  async fresh(): Promise<Revisions> {
    return this.current() ?? this.refresh();
  }

  /** Reads the revision from the database. Concurrent calls share one query. */
  refresh(): Promise<Revisions> {
    this.pending ??= this.read().finally(() => (this.pending = null));
    return this.pending;
  }

  /**
   * Accepts a revision that this process has committed and announces it to the other workers.
   * Resolves when no worker can reply from an older state: each has acknowledged it, or has been
   * silent for so long that it must read the revision from the database first.
   * @param sentAt when the commit was sent: no newer revision existed then
   */
  async publish(revisions: Revisions, sentAt: number): Promise<void> {
    this.accept(revisions);
    this.confirmedAt = Math.max(this.confirmedAt, sentAt);
    await this.peers.request(REVISIONS_TOPIC, revisions, this.maxAge);
  }

  /**
   * Publishes what another process has committed for this one, as `publish` does for commits of
   * this one.
   */
  async publishNewest(): Promise<void> {
    const readAt = performance.now();
    await this.publish(await this.database.revisions(), readAt);
  }

  /**
   * Calls a listener whenever a newer revision is seen.
   * @returns called to end that
   */
  onNewer(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Starts to poll for writes of other processes. */
  startPolling(): void {
    this.timer ??= setInterval(() => void this.refresh().catch(() => undefined), POLL_INTERVAL).unref();
  }

  stopPolling(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private accept(revisions: Revisions): void {
    // Not a part of the data: it may change without a new revision, and in both directions.
    this.writable = revisions.oldestWriter <= SCHEMA_VERSION;
    const isNewer = this.latest === null || revisions.all > this.latest.all;
    if (isNewer) this.latest = revisions;
    this.database.requireRevision(revisions.all);
    if (isNewer) for (const listener of this.listeners) listener();
  }

  private async read(): Promise<Revisions> {
    // The result is valid as of the request: the event loop may be blocked before it arrives.
    const requestedAt = performance.now();
    this.accept(await this.database.revisions());
    this.confirmedAt = Math.max(this.confirmedAt, requestedAt);
    return this.latest!;
  }
}
