import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataRevision, type Revisions } from '../../ledger/revision/data-revision.js';
import { Database } from '../../database/database.js';
import { isConnectionLost } from '../../database/errors/driver-errors.js';
import { readCatalogue } from './catalogue-reader.js';
import { readCatalogueAt } from './past-catalogue.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';

/** Earlier states that are held in memory. */
const PAST_SNAPSHOTS = 4;

/** All series in memory, at one data revision: the only read path of series. */
@Injectable()
export class SeriesCatalogue {
  private snapshot: CatalogueSnapshot | null = null;
  private refreshing: Promise<CatalogueSnapshot> | null = null;
  /** Earlier states, by revision and the revision of the records that they are shown with. */
  private readonly past = new LRUCache<string, Promise<CatalogueSnapshot>>({ max: PAST_SNAPSHOTS });
  /** Number of refreshes. */
  refreshes = 0;
  /** Duration of the last refresh. */
  lastRefreshMs: number | null = null;

  constructor(
    private readonly database: Database,
    private readonly revision: DataRevision,
  ) {}

  /**
   * A snapshot that contains every write whose revision this process has seen when called.
   * @throws the driver's error if the database is unavailable
   */
  async current(): Promise<CatalogueSnapshot> {
    const revisions = this.revision.current() ?? (await this.revision.fresh());
    // A running refresh may have begun before these revisions were seen. Awaiting it first avoids
    // reading the same changes twice.
    if (!isCurrent(this.snapshot, revisions)) await this.refreshing?.catch(() => undefined);
    if (isCurrent(this.snapshot, revisions)) return this.snapshot;
    // A refresh that runs now was begun by another waiting caller, so after the revisions were
    // seen.
    this.refreshing ??= this.refresh().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  /**
   * The series as they were known at a revision, with the records of today.
   * @param revision not newer than what this process has seen; null for the newest
   * @throws the driver's error if the database is unavailable
   */
  async at(revision: number | null): Promise<CatalogueSnapshot> {
    const current = await this.current();
    if (revision === null || revision >= current.revisions.series) return current;
    const key = `${revision} ${current.revisions.references}`;
    let snapshot = this.past.get(key);
    if (snapshot === undefined) {
      const read = () =>
        this.database.anyServer.readSnapshot((query) => readCatalogueAt(query, revision, current));
      // One retry on another connection, as for the newest state.
      snapshot = read().catch((error: unknown) =>
        isConnectionLost(error) ? read() : Promise.reject(error as Error),
      );
      this.past.set(key, snapshot);
      snapshot.catch(() => this.past.delete(key));
    }
    return snapshot;
  }

  private async refresh(): Promise<CatalogueSnapshot> {
    const read = () => this.database.anyServer.readSnapshot((query) => readCatalogue(query, this.snapshot));
    const start = performance.now();
    try {
      this.snapshot = await read();
    } catch (error) {
      // One retry on another connection is harmless, and hides a restart of the database.
      if (!isConnectionLost(error)) throw error;
      this.snapshot = await read();
    }
    this.refreshes++;
    this.lastRefreshMs = performance.now() - start;
    return this.snapshot;
  }

  /** Number of series; null before the first refresh. */
  get size(): number | null {
    return this.snapshot?.size ?? null;
  }
}

function isCurrent(snapshot: CatalogueSnapshot | null, revisions: Revisions): snapshot is CatalogueSnapshot {
  return (
    snapshot !== null &&
    snapshot.revisions.series >= revisions.series &&
    snapshot.revisions.references >= revisions.references
  );
}
