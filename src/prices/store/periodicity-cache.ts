import type { Transaction } from '../../ledger/unit-of-work.js';
import type { StoredPeriodicityItem } from '../../price-series/periodicity.js';
import { WrittenPoints } from './written-points.js';

/** Series that the cache may hold. */
const MAX_SERIES = 20_000;

/**
 * The periodicity of series as one writer's last transaction left it, for its next one: an import
 * comes back to the same series in many of its batches. It is valid as long as nobody else has
 * written, which the data revision shows: every transaction that changes data increments it by
 * one. Used with SQLite only; on a database server, periods are read with the locks on their
 * series.
 */
export class PeriodicityCache {
  private transaction: Pick<Transaction, 'revision' | 'changesData'> | null = null;
  private validRevision = NaN;
  private readonly items = new Map<number, StoredPeriodicityItem[]>();
  /** The points of series that the writer has begun, as valid as their periodicity. */
  readonly written = new WrittenPoints();

  /**
   * The cached items by series, for a transaction. It may change the map; the changes are valid
   * once `commit` is called.
   */
  begin(transaction: Pick<Transaction, 'revision' | 'changesData'>): Map<number, StoredPeriodicityItem[]> {
    const isValid = this.validRevision === transaction.revision - 1;
    if (!isValid || this.items.size > MAX_SERIES) {
      this.items.clear();
      this.written.clear();
    }
    this.transaction = transaction;
    this.validRevision = NaN;
    return this.items;
  }

  /** To be called when the transaction has been committed. */
  commit(): void {
    if (this.transaction === null) return;
    const { revision, changesData } = this.transaction;
    // Without a change there is no new revision: that number is another writer's.
    this.validRevision = changesData ? revision : revision - 1;
  }

  /** The points, for a transaction that writes none; null where others have written since. */
  writtenBefore({ revision }: Pick<Transaction, 'revision'>): WrittenPoints | null {
    return this.validRevision === revision - 1 ? this.written : null;
  }
}
