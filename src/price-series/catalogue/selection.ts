import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import type { Criteria } from '../filters/criteria.js';
import { SeriesQuery } from './series-query.js';

/** The series of a snapshot that match some criteria, in the order of the lists. */
export class Selection {
  readonly count: number;

  constructor(
    readonly catalogue: CatalogueSnapshot,
    /** Catalogue rows in ascending order; null for all. */
    private readonly rows: Uint32Array | null,
  ) {
    this.count = rows?.length ?? catalogue.size;
  }

  /** Number of rows that this selection stores itself. */
  get ownRows(): number {
    return this.rows?.length ?? 0;
  }

  /** The catalogue rows of the selected series `from` (inclusive) to `to` (exclusive). */
  slice(from = 0, to = this.count): Uint32Array {
    return (this.rows ?? this.catalogue.rows).subarray(from, to);
  }
}

/** Rows that the cached selections of one snapshot may store, 4 bytes each. */
const CAPACITY = 1_000_000;
/** Cost of a selection besides its rows, in rows. */
const OVERHEAD = 250;

/** The most recently used selections of one snapshot, by their criteria. */
class SelectionCache {
  private readonly selections = new Map<string, Selection>();
  private used = 0;

  constructor(private readonly catalogue: CatalogueSnapshot) {}

  get(criteria: Criteria): Selection {
    const cached = this.selections.get(criteria.key);
    if (cached !== undefined) {
      // Reinserted last: the map is in order of use, and the least recently used selection is
      // evicted first.
      this.selections.delete(criteria.key);
      this.selections.set(criteria.key, cached);
      return cached;
    }
    const selection = evaluate(this.catalogue, criteria);
    this.selections.set(criteria.key, selection);
    this.used += cost(selection);
    for (const [key, oldest] of this.selections) {
      if (this.used <= CAPACITY) break;
      this.selections.delete(key);
      this.used -= cost(oldest);
    }
    return selection;
  }
}

const cost = (selection: Selection) => selection.ownRows + OVERHEAD;

const caches = new WeakMap<CatalogueSnapshot, SelectionCache>();

/** The series that match the criteria, for a count that is made once. */
export function evaluate(catalogue: CatalogueSnapshot, criteria: Criteria): Selection {
  const query = new SeriesQuery(catalogue);
  criteria.apply(query);
  return new Selection(catalogue, query.run());
}

/** The series that match the criteria. Cached, so that the further pages of a list cost nothing. */
export function select(catalogue: CatalogueSnapshot, criteria: Criteria): Selection {
  let cache = caches.get(catalogue);
  if (cache === undefined) caches.set(catalogue, (cache = new SelectionCache(catalogue)));
  return cache.get(criteria);
}
