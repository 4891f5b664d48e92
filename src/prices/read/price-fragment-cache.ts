import { LRUCache } from 'lru-cache';

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
  private readonly fragments: LRUCache<string, Fragment>;

  constructor(capacity = CAPACITY) {
    this.fragments = new LRUCache({
      maxSize: capacity,
      maxEntrySize: MAX_FRAGMENT_BYTES,
      sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD,
    });
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.fragments.calculatedSize;
  }

  /** @param variant the serializer and the requested points */
  get(serieId: number, variant: string, { series, references, rates }: FragmentRevisions): Buffer | null {
    const key = `${serieId} ${variant}`;
    const fragment = this.fragments.get(key);
    if (fragment === undefined) return null;
    if (fragment.series === series && fragment.references === references && fragment.rates === rates)
      return fragment.bytes;
    this.fragments.delete(key);
    return null;
  }

  set(
    serieId: number,
    variant: string,
    { series, references, rates }: FragmentRevisions,
    bytes: Buffer,
  ): void {
    this.fragments.set(`${serieId} ${variant}`, { series, references, rates, bytes });
  }
}
