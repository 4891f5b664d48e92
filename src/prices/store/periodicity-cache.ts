import type { StoredPeriodicityItem } from '../../price-series/periodicity.js';

/** Series that the cache may hold. */
const MAX_SERIES = 20_000;

/**
 * The periodicity of series as one writer's last transaction left it, for its next one: an import
 * comes back to the same series in many of its batches. It is valid as long as nobody else has
 * written, which the data revision shows: every transaction increments it by one. Used with SQLite
 * only; on a database server, periods are read with the locks on their series.
 */
export class PeriodicityCache {
  private baseRevision = NaN;
  private validRevision = NaN;
  private readonly items = new Map<number, StoredPeriodicityItem[]>();

  /**
   * The cached items by series, for a transaction that began at a revision. It may change the map;
   * the changes are valid once `commit` is called.
   */
  begin(revision: number): Map<number, StoredPeriodicityItem[]> {
    if (this.validRevision !== revision || this.items.size > MAX_SERIES) this.items.clear();
    this.baseRevision = revision;
    this.validRevision = NaN;
    return this.items;
  }

  /** To be called when the transaction has been committed. */
  commit(): void {
    this.validRevision = this.baseRevision + 1;
  }
}
