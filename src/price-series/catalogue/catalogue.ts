import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataRevision, type Revisions } from '../../ledger/revision/data-revision.js';
import { Database } from '../../database/database.js';
import { isConnectionLost } from '../../database/errors/driver-errors.js';
import { readCatalogue } from './catalogue-reader.js';
import { readCatalogueAt } from './past-catalogue.js';
import type { CatalogueScope, SeriesScope } from '../series-status.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';

/** Earlier states that are held in memory. */
const PAST_SNAPSHOTS = 4;

/**
 * All series in memory, at one data revision: the only read path of series. Without a scope, the
 * observed ones are meant; those of every status are read when they are first asked for.
 */
@Injectable()
export class SeriesCatalogue {
  private readonly newest: Readonly<Record<CatalogueScope, NewestSnapshot>>;
  /** Earlier states, by scope, revision and the revision of the records they are shown with. */
  private readonly past = new LRUCache<string, Promise<CatalogueSnapshot>>({ max: PAST_SNAPSHOTS });

  constructor(
    private readonly database: Database,
    revision: DataRevision,
  ) {
    const of = (scope: CatalogueScope) => new NewestSnapshot(database, revision, scope);
    this.newest = { observed: of('observed'), all: of('all') };
  }

  /**
   * A snapshot that contains every write whose revision this process has seen when called.
   * @throws the driver's error if the database is unavailable
   */
  async current(scope: SeriesScope = 'observed'): Promise<CatalogueSnapshot> {
    return this.ofScope(scope, (one) => this.newest[one].current());
  }

  /**
   * The series as they were known at a revision, with the records of today.
   * @param revision not newer than what this process has seen; null for the newest
   * @throws the driver's error if the database is unavailable
   */
  async at(revision: number | null, scope: SeriesScope = 'observed'): Promise<CatalogueSnapshot> {
    return this.ofScope(scope, (one) => this.stateAt(revision, one));
  }

  /** Number of refreshes. */
  get refreshes(): number {
    return this.newest.observed.refreshes;
  }

  /** Milliseconds of the last refresh. */
  get lastRefreshMs(): number | null {
    return this.newest.observed.lastRefreshMs;
  }

  /** Number of observed series; null before the first refresh. */
  get size(): number | null {
    return this.newest.observed.snapshot?.size ?? null;
  }

  private async ofScope(
    scope: SeriesScope,
    read: (scope: CatalogueScope) => Promise<CatalogueSnapshot>,
  ): Promise<CatalogueSnapshot> {
    if (typeof scope === 'string') return read(scope);
    const observed = await read('observed');
    const others = observed.shows.unobserved === 0 ? [] : scope.uuids.filter(isMissing(observed));
    if (others.length === 0) return observed;
    const all = await read('all');
    // A uuid that no series has is none that was not observed.
    return others.every(isMissing(all)) ? observed : all;
  }

  private async stateAt(revision: number | null, scope: CatalogueScope): Promise<CatalogueSnapshot> {
    const current = await this.newest[scope].current();
    if (revision === null || revision >= current.revisions.series) return current;
    const key = `${scope} ${revision} ${current.revisions.references}`;
    let snapshot = this.past.get(key);
    if (snapshot === undefined) {
      const read = () =>
        this.database.anyServer.readSnapshot((query) => readCatalogueAt(query, scope, revision, current));
      // One retry on another connection, as for the newest state.
      snapshot = read().catch((error: unknown) =>
        isConnectionLost(error) ? read() : Promise.reject(error as Error),
      );
      this.past.set(key, snapshot);
      snapshot.catch(() => this.past.delete(key));
    }
    return snapshot;
  }
}

/** The newest snapshot of a scope, refreshed when it is asked for. */
class NewestSnapshot {
  snapshot: CatalogueSnapshot | null = null;
  refreshes = 0;
  lastRefreshMs: number | null = null;
  private refreshing: Promise<CatalogueSnapshot> | null = null;

  constructor(
    private readonly database: Database,
    private readonly revision: DataRevision,
    private readonly scope: CatalogueScope,
  ) {}

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

  private async refresh(): Promise<CatalogueSnapshot> {
    const read = () =>
      this.database.anyServer.readSnapshot((query) => readCatalogue(query, this.scope, this.snapshot));
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
}

const isMissing = (catalogue: CatalogueSnapshot) => (uuid: string) => catalogue.find(uuid) === null;

function isCurrent(snapshot: CatalogueSnapshot | null, revisions: Revisions): snapshot is CatalogueSnapshot {
  return (
    snapshot !== null &&
    snapshot.revisions.series >= revisions.series &&
    snapshot.revisions.references >= revisions.references
  );
}
