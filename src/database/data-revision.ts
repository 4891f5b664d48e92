import { WorkerPeers } from '../common/workers/worker-peers.js';
import type { Database } from './database.js';
import type { Revisions } from './revisions.js';

export type { RevisionArea, Revisions } from './revisions.js';

/** Milliseconds between two looks for writes of other processes. */
const POLL_INTERVAL = 200;
/** A known revision older than this (ms) is asked for again before it is used: the promise to readers is one second. */
const FRESH_FOR = 800;
/** Under which siblings tell each other of commits. */
const NEWS = 'revisions';

/**
 * The newest data revision that this process knows. A write of this process, or of one beside it on this machine, is known when
 * whoever asked for it is told that it is stored; a write of another machine within a fifth of a second. Caches are keyed by it
 * and never cleared by hand.
 */
export class DataRevision {
  private known: Revisions | null = null;
  /** When the known revision was the newest for certain. */
  private certainAt = -Infinity;
  private timer: NodeJS.Timeout | null = null;
  private asking: Promise<Revisions> | null = null;

  constructor(
    private readonly database: Database,
    private readonly siblings = new WorkerPeers(null),
  ) {
    siblings.answer(NEWS, (revisions) => void this.note(revisions as Revisions));
    database.onNewerRevision = () => void this.ask().catch(() => undefined);
  }

  /** The known revision, or null when the database has not confirmed it lately. Costs nothing: for the warm path. */
  current(): Revisions | null {
    return performance.now() - this.certainAt <= FRESH_FOR ? this.known : null;
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

  /**
   * Takes note of a revision that this process has committed and tells its siblings. Ends when no process of this machine will
   * answer from before it: they have heard of it, or have been silent for so long that they ask the database before they answer.
   * @param sentAt when the commit was sent: then no other can have been newer
   */
  async committed(revisions: Revisions, sentAt: number): Promise<void> {
    this.note(revisions);
    this.certainAt = Math.max(this.certainAt, sentAt);
    await this.siblings.ask(NEWS, revisions, FRESH_FOR);
  }

  /** Begins to look for writes of other processes. */
  watch(): void {
    this.timer ??= setInterval(() => void this.ask().catch(() => undefined), POLL_INTERVAL).unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private note(revisions: Revisions): void {
    if (this.known === null || revisions.all > this.known.all) this.known = revisions;
    this.database.requireRevision(revisions.all);
  }

  private async read(): Promise<Revisions> {
    // The answer is true of this moment; when it is read, the loop may have been held for a while.
    const askedAt = performance.now();
    this.note(await this.database.revisions());
    this.certainAt = Math.max(this.certainAt, askedAt);
    return this.known!;
  }
}
