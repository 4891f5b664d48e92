import type { PeriodItem } from '../price-series/periodicity.js';

/** Series of which a `PeriodMemory` keeps the periods at most. */
const MOST_REMEMBERED = 20_000;

/**
 * The periods of series as one writer's last transaction has left them, for its next: an import comes back to the same series in
 * each of its parts. It holds as long as nobody else has written, which the data revision tells: every transaction moves it by one.
 * Of use on the embedded engine only; on a server the periods are read with the locks on their series.
 */
export class PeriodMemory {
  private began = NaN;
  private holdsAt = NaN;
  private readonly items = new Map<number, PeriodItem[]>();

  /** The periods by series, for a transaction that has begun at a revision. What it notes there counts if it is kept. */
  begin(revision: number): Map<number, PeriodItem[]> {
    if (this.holdsAt !== revision || this.items.size > MOST_REMEMBERED) this.items.clear();
    this.began = revision;
    this.holdsAt = NaN;
    return this.items;
  }

  /** Says that the transaction has been stored. */
  keep(): void {
    this.holdsAt = this.began + 1;
  }
}
