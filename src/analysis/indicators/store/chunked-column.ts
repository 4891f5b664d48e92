/** Entries of a chunk: more than the months of any series. */
const CHUNK_BITS = 17;
const CHUNK = 2 ** CHUNK_BITS;

/**
 * A column of numbers that grows by chunks: what it has is never copied, which would hold up other
 * work and take twice the memory for a moment.
 */
export class ChunkedColumn<T extends Uint8Array | Float64Array> {
  private readonly chunks: T[] = [];
  private used = CHUNK;

  /** @param create makes a chunk of so many entries */
  constructor(private readonly create: (length: number) => T) {}

  /** Adds entries, and returns the index of the first of them; they lie one after the other. */
  add(entries: T): number {
    if (this.used + entries.length >= CHUNK) {
      this.chunks.push(this.create(CHUNK));
      this.used = 0;
    }
    const at = (this.chunks.length - 1) * CHUNK + this.used;
    this.chunks.at(-1)!.set(entries, this.used);
    this.used += entries.length;
    return at;
  }

  /** The entry at an index. */
  at(index: number): number {
    return this.chunks[index >>> CHUNK_BITS]![index & (CHUNK - 1)]!;
  }
}
