/** Bytes that all fragments may have together. */
const ROOM = 40 * 1024 * 1024;
/** Bytes of the longest fragment that is kept: longer ones would push out too many. */
const LONGEST = 2 * 1024 * 1024;
/** What a fragment costs beside its bytes. */
const OVERHEAD = 400;

/** The revisions of all that the text of a series' prices is made of. */
export interface FragmentState {
  /** The revision that last changed the series. */
  readonly series: number;
  readonly references: number;
  readonly rates: number;
}

interface Fragment extends FragmentState {
  bytes: Buffer;
}

/**
 * The finished text of the prices of single series, for series that are asked for again and again in changing company. A fragment
 * is served only in the state it was made of, so nothing is cleared when data change; what was not asked for the longest goes first.
 */
export class PriceFragments {
  private readonly fragments = new Map<string, Fragment>();
  private held = 0;

  constructor(private readonly room = ROOM) {}

  /** Bytes that are held. */
  get bytes(): number {
    return this.held;
  }

  /** @param form what is asked of the series, and the form of the text */
  get(serieId: number, form: string, state: FragmentState): Buffer | null {
    const key = `${serieId} ${form}`;
    const found = this.fragments.get(key);
    if (found === undefined) return null;
    this.fragments.delete(key);
    if (
      found.series !== state.series ||
      found.references !== state.references ||
      found.rates !== state.rates
    ) {
      this.held -= cost(found);
      return null;
    }
    this.fragments.set(key, found);
    return found.bytes;
  }

  keep(serieId: number, form: string, state: FragmentState, bytes: Buffer): void {
    if (bytes.length > LONGEST) return;
    const key = `${serieId} ${form}`;
    const former = this.fragments.get(key);
    if (former !== undefined) {
      this.fragments.delete(key);
      this.held -= cost(former);
    }
    const { series, references, rates } = state;
    const fragment = { series, references, rates, bytes };
    this.fragments.set(key, fragment);
    this.held += cost(fragment);
    for (const [oldest, { bytes: text }] of this.fragments) {
      if (this.held <= this.room) break;
      this.fragments.delete(oldest);
      this.held -= text.length + OVERHEAD;
    }
  }
}

const cost = ({ bytes }: Fragment) => bytes.length + OVERHEAD;
