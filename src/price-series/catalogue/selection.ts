import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import type { Criteria } from '../filters/criteria.js';
import type { Sort } from '../../platform/listing/sort.js';
import { sortRows } from './series-order.js';
import { SeriesQuery } from './series-query.js';

/** The series of a snapshot that match some criteria, in the order of the lists or sorted. */
export class Selection {
  readonly count: number;

  constructor(
    readonly catalogue: CatalogueSnapshot,
    /** Catalogue rows, ascending unless they are sorted otherwise; null for all. */
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
  private readonly sorting = new Map<string, Promise<Selection>>();
  private used = 0;

  constructor(private readonly catalogue: CatalogueSnapshot) {}

  get(criteria: Criteria): Selection {
    const cached = this.find(criteria.key);
    if (cached !== undefined) return cached;
    return this.add(criteria.key, evaluate(this.catalogue, criteria));
  }

  /** The same series in another order. */
  async sorted(criteria: Criteria, sort: Sort): Promise<Selection> {
    const key = JSON.stringify([criteria.key, sort]);
    const cached = this.find(key);
    if (cached !== undefined) return cached;
    let sorting = this.sorting.get(key);
    if (sorting === undefined) {
      sorting = sortRows(this.catalogue, this.get(criteria).slice(), sort)
        .then((rows) => this.add(key, new Selection(this.catalogue, rows)))
        .finally(() => this.sorting.delete(key));
      this.sorting.set(key, sorting);
    }
    return sorting;
  }

  private find(key: string): Selection | undefined {
    const cached = this.selections.get(key);
    if (cached !== undefined) {
      // Reinserted last: the map is in order of use, and the least recently used selection is
      // evicted first.
      this.selections.delete(key);
      this.selections.set(key, cached);
    }
    return cached;
  }

  private add(key: string, selection: Selection): Selection {
    this.selections.set(key, selection);
    this.used += cost(selection);
    for (const [oldestKey, oldest] of this.selections) {
      if (this.used <= CAPACITY) break;
      this.selections.delete(oldestKey);
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
export function selectSeries(catalogue: CatalogueSnapshot, criteria: Criteria): Selection {
  return cacheOf(catalogue).get(criteria);
}

/** The same in the order of a sort, which is cached as well. */
export async function selectSorted(
  catalogue: CatalogueSnapshot,
  criteria: Criteria,
  sort: Sort,
): Promise<Selection> {
  return sort.length === 0 ? selectSeries(catalogue, criteria) : cacheOf(catalogue).sorted(criteria, sort);
}

function cacheOf(catalogue: CatalogueSnapshot): SelectionCache {
  let cache = caches.get(catalogue);
  if (cache === undefined) caches.set(catalogue, (cache = new SelectionCache(catalogue)));
  return cache;
}
