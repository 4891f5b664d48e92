import { Injectable } from '@nestjs/common';
import { DataRevision, type Revisions } from '../database/data-revision.js';
import { Database } from '../database/database.js';
import { isConnectionLost } from '../database/driver-errors.js';
import { readCatalogue } from './catalogue-reader.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';

/**
 * The one read path of series: all of them in memory, as they are at a revision of the data. Whoever asks gets the newest state
 * that this process knows of.
 */
@Injectable()
export class SeriesCatalogue {
  private snapshot: CatalogueSnapshot | null = null;
  private refreshing: Promise<CatalogueSnapshot> | null = null;
  /** Times it was read, and milliseconds that the last time took. */
  refreshes = 0;
  lastRefresh: number | null = null;

  constructor(
    private readonly database: Database,
    private readonly revision: DataRevision,
  ) {}

  /**
   * The series as they are now: every write that this process knows of is in it.
   * @throws the driver's error when the database does not answer
   */
  async current(): Promise<CatalogueSnapshot> {
    const known = this.revision.current() ?? (await this.revision.fresh());
    // A refresh that runs may have begun before this revision was known; what it reads need not be read again.
    if (!isAsNewAs(this.snapshot, known)) await this.refreshing?.catch(() => undefined);
    if (isAsNewAs(this.snapshot, known)) return this.snapshot;
    // One that runs now was begun by another who waited, so after the revision was known.
    this.refreshing ??= this.refresh().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  private async refresh(): Promise<CatalogueSnapshot> {
    const read = () => this.database.anywhere.view((arrays) => readCatalogue(arrays, this.snapshot));
    const began = performance.now();
    try {
      this.snapshot = await read();
    } catch (error) {
      // Asking once more on another connection is harmless, and hides a restart of the database.
      if (!isConnectionLost(error)) throw error;
      this.snapshot = await read();
    }
    this.refreshes++;
    this.lastRefresh = performance.now() - began;
    return this.snapshot;
  }

  /** Series in it; null before it was read. */
  get size(): number | null {
    return this.snapshot?.size ?? null;
  }
}

function isAsNewAs(snapshot: CatalogueSnapshot | null, known: Revisions): snapshot is CatalogueSnapshot {
  return (
    snapshot !== null &&
    snapshot.revisions.series >= known.series &&
    snapshot.revisions.references >= known.references
  );
}
