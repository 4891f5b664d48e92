/** Bytes that all fragments may have together. */
const CAPACITY = 40 * 1024 * 1024;
/** Bytes of the longest fragment that is cached: longer ones would evict too many others. */
const MAX_FRAGMENT_BYTES = 2 * 1024 * 1024;
/** What a fragment costs besides its bytes. */
const OVERHEAD = 400;

/** The revisions of everything that the text of a series' prices depends on. */
export interface FragmentRevisions {
  /** The revision that last changed the series. */
  readonly series: number;
  readonly references: number;
  readonly rates: number;
}

interface Fragment extends FragmentRevisions {
  bytes: Buffer;
}

/**
 * The serialized prices of single series, for series that are requested again and again in ever
 * different lists. A fragment is served only at the revisions it was written at, so nothing is
 * cleared when data change. The least recently used fragment is evicted first.
 */
export class PriceFragmentCache {
  private readonly fragments = new Map<string, Fragment>();
  private used = 0;

  constructor(private readonly capacity = CAPACITY) {}

  /** Bytes in use. */
  get bytes(): number {
    return this.used;
  }

  /** @param variant the serializer and the requested points */
  get(serieId: number, variant: string, revisions: FragmentRevisions): Buffer | null {
    const key = `${serieId} ${variant}`;
    const fragment = this.fragments.get(key);
    if (fragment === undefined) return null;
    this.fragments.delete(key);
    if (
      fragment.series !== revisions.series ||
      fragment.references !== revisions.references ||
      fragment.rates !== revisions.rates
    ) {
      this.used -= cost(fragment);
      return null;
    }
    this.fragments.set(key, fragment);
    return fragment.bytes;
  }

  set(serieId: number, variant: string, revisions: FragmentRevisions, bytes: Buffer): void {
    if (bytes.length > MAX_FRAGMENT_BYTES) return;
    const key = `${serieId} ${variant}`;
    const previous = this.fragments.get(key);
    if (previous !== undefined) {
      this.fragments.delete(key);
      this.used -= cost(previous);
    }
    const { series, references, rates } = revisions;
    const fragment = { series, references, rates, bytes };
    this.fragments.set(key, fragment);
    this.used += cost(fragment);
    for (const [oldestKey, oldest] of this.fragments) {
      if (this.used <= this.capacity) break;
      this.fragments.delete(oldestKey);
      this.used -= cost(oldest);
    }
  }
}

const cost = ({ bytes }: Fragment) => bytes.length + OVERHEAD;
