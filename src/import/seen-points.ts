/** Part of the table that may be full before it grows. */
const FULL = 0.6;
const FIRST_SIZE = 1024;

/**
 * The points that an import has met so far, with their values: so a second row for a point is known, whether it says the same or
 * not, even where nothing is stored (a dry run) or the first is transactions ago. An open-addressing table in two flat arrays:
 * 16 bytes a slot, 27 to 53 a point, where a `Map` takes hundreds.
 */
export class SeenPoints {
  private keys = new Float64Array(FIRST_SIZE);
  private values = new Float64Array(FIRST_SIZE);
  private mask = FIRST_SIZE - 1;
  private count = 0;

  /**
   * The value noted for a point, which is noted now where there is none.
   * @param key a whole number from 1 on
   * @returns the value noted before, or null
   */
  note(key: number, value: number): number | null {
    let at = this.place(key);
    if (this.keys[at] === key) return this.values[at]!;
    if (this.count >= this.keys.length * FULL) {
      this.grow();
      at = this.place(key);
    }
    this.keys[at] = key;
    this.values[at] = value;
    this.count++;
    return null;
  }

  /** Notes another value for a point that is known. */
  replace(key: number, value: number): void {
    this.values[this.place(key)] = value;
  }

  /** Where a key is, or where it belongs. Neighbouring days get places far apart, so that runs stay short. */
  private place(key: number): number {
    let at =
      (Math.imul((key % 4294967296) | 0, 0x9e3779b1) ^ Math.imul((key / 4294967296) | 0, 0x85ebca6b)) >>> 0;
    at = (at ^ (at >>> 15)) & this.mask;
    while (this.keys[at] !== 0 && this.keys[at] !== key) at = (at + 1) & this.mask;
    return at;
  }

  private grow(): void {
    const { keys, values } = this;
    this.keys = new Float64Array(keys.length * 2);
    this.values = new Float64Array(keys.length * 2);
    this.mask = this.keys.length - 1;
    for (let old = 0; old < keys.length; old++) {
      if (keys[old] === 0) continue;
      const at = this.place(keys[old]!);
      this.keys[at] = keys[old]!;
      this.values[at] = values[old]!;
    }
  }
}
