import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import type { Criteria } from './criteria.js';
import { SeriesQuery } from './series-query.js';

/** The series of a snapshot that meet some criteria, in the order of the lists. */
export class Selection {
  readonly count: number;

  constructor(
    readonly catalogue: CatalogueSnapshot,
    /** Places in the catalogue, in order; null for all. */
    private readonly places: Uint32Array | null,
  ) {
    this.count = places?.length ?? catalogue.size;
  }

  /** Places that this selection holds itself. */
  get ownPlaces(): number {
    return this.places?.length ?? 0;
  }

  /** The places in the catalogue of the series from the `from`th to before the `to`th. */
  slice(from = 0, to = this.count): Uint32Array {
    if (this.places !== null) return this.places.subarray(from, to);
    const all = new Uint32Array(Math.max(0, Math.min(to, this.count) - from));
    for (let index = 0; index < all.length; index++) all[index] = from + index;
    return all;
  }
}

/** Places that the remembered selections of one snapshot may hold, 4 bytes each. */
const ROOM = 1_000_000;
/** What a selection costs beside its places, counted in places. */
const OVERHEAD = 250;

/** The last selections of one snapshot, by their criteria. */
class RecentSelections {
  private readonly selections = new Map<string, Selection>();
  private used = 0;

  constructor(private readonly catalogue: CatalogueSnapshot) {}

  get(criteria: Criteria): Selection {
    const known = this.selections.get(criteria.key);
    if (known !== undefined) {
      // Put last again: what was not asked for the longest goes first.
      this.selections.delete(criteria.key);
      this.selections.set(criteria.key, known);
      return known;
    }
    const query = new SeriesQuery(this.catalogue);
    criteria.apply(query);
    const selection = new Selection(this.catalogue, query.run());
    this.selections.set(criteria.key, selection);
    this.used += cost(selection);
    for (const [key, oldest] of this.selections) {
      if (this.used <= ROOM) break;
      this.selections.delete(key);
      this.used -= cost(oldest);
    }
    return selection;
  }
}

const cost = (selection: Selection) => selection.ownPlaces + OVERHEAD;

const recent = new WeakMap<CatalogueSnapshot, RecentSelections>();

/** The series that meet the criteria. Remembered for a while, so that going through the pages of a list costs nothing. */
export function select(catalogue: CatalogueSnapshot, criteria: Criteria): Selection {
  let selections = recent.get(catalogue);
  if (selections === undefined) recent.set(catalogue, (selections = new RecentSelections(catalogue)));
  return selections.get(criteria);
}
