/**
 * Bits of the filter, and keys after which it starts anew: at most some 2 % of new keys seem seen.
 */
const BITS = 1 << 18;
const MAX_KEYS = 1 << 14;

/**
 * Decides what is worth storing: what is requested a second time, as TinyLFU's doorkeeper does.
 * Most addresses are requested once; stored at first sight, they would evict what is requested
 * often, and cost the garbage collector more than all else. A Bloom filter remembers the keys, so a
 * few are admitted early; it is cleared once it has seen many.
 */
export class Admission {
  private readonly filter = new Uint32Array(BITS / 32);
  private keys = 0;

  /** Whether the key was seen before; from now on it was. */
  admits(key: string): boolean {
    const first = hash(key, FNV_OFFSET);
    const second = hash(key, first);
    const seen = this.has(first) && this.has(second);
    if (seen) return true;
    if (this.keys === MAX_KEYS) this.clear();
    this.keys++;
    this.add(first);
    this.add(second);
    return false;
  }

  private has(bits: number): boolean {
    return (this.filter[(bits >>> 5) % this.filter.length]! & (1 << (bits & 31))) !== 0;
  }

  private add(bits: number): void {
    this.filter[(bits >>> 5) % this.filter.length]! |= 1 << (bits & 31);
  }

  private clear(): void {
    this.filter.fill(0);
    this.keys = 0;
  }
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a over the UTF-16 code units, from a seed. */
function hash(key: string, seed: number): number {
  let value = seed;
  for (let index = 0; index < key.length; index++)
    value = Math.imul(value ^ key.charCodeAt(index), FNV_PRIME);
  // FNV's low bits are weak: fold the high ones into them.
  return (value ^ (value >>> 15)) >>> 0;
}
