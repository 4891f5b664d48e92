const INITIAL_LENGTH = 16;
const GROWTH_FACTOR = 1.5;
/** Days out of order are merged when more than this number plus a share of those in order. */
const MERGE_MIN_DAYS = 64;
const MERGE_SHARE = 1 / 8;

/**
 * The points of one series and period so far in an import, with their values. Detects a second row
 * for the same point, even if nothing is stored (a dry run) or the first was in an earlier
 * transaction.
 *
 * Files go forward in time, for each series or for all together, so most days are appended to a
 * sorted column. That takes 12 bytes a point; a hash table takes 27 to 53, a `Map` hundreds.
 */
export class SeenPoints {
  private days = new Int32Array(INITIAL_LENGTH);
  private values = new Float64Array(INITIAL_LENGTH);
  private count = 0;
  /** Days that came after a later day, with their values. */
  private readonly outOfOrder = new Map<number, number>();

  /**
   * Adds a point unless its day already has a value.
   * @returns the existing value, or null if the point was added
   */
  add(day: number, value: number): number | null {
    if (this.count === 0 || day > this.days[this.count - 1]!) {
      this.append(day, value);
      return null;
    }
    const index = this.lowerBound(day);
    if (this.days[index] === day) return this.values[index]!;
    const existing = this.outOfOrder.get(day);
    if (existing !== undefined) return existing;
    this.outOfOrder.set(day, value);
    if (this.outOfOrder.size > MERGE_MIN_DAYS + this.count * MERGE_SHARE) this.mergeOutOfOrder();
    return null;
  }

  /** The value of a day, or null. */
  get(day: number): number | null {
    const index = this.lowerBound(day);
    if (index < this.count && this.days[index] === day) return this.values[index]!;
    return this.outOfOrder.get(day) ?? null;
  }

  private append(day: number, value: number): void {
    if (this.count === this.days.length) this.grow(Math.ceil(this.count * GROWTH_FACTOR));
    this.days[this.count] = day;
    this.values[this.count] = value;
    this.count++;
  }

  private grow(length: number): void {
    const { days, values } = this;
    this.days = new Int32Array(length);
    this.values = new Float64Array(length);
    this.days.set(days);
    this.values.set(values);
  }

  /** The index of the first sorted day that is not before `day`. */
  private lowerBound(day: number): number {
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.days[middle]! < day) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** Merges the days out of order into the columns, from their ends. */
  private mergeOutOfOrder(): void {
    const late = [...this.outOfOrder].sort(([a], [b]) => a - b);
    this.outOfOrder.clear();
    let from = this.count - 1;
    this.count += late.length;
    if (this.count > this.days.length) this.grow(Math.ceil(this.count * GROWTH_FACTOR));
    for (let to = this.count - 1; late.length > 0; to--) {
      const [day, value] = late.at(-1)!;
      if (from >= 0 && this.days[from]! > day) {
        this.days[to] = this.days[from]!;
        this.values[to] = this.values[from]!;
        from--;
      } else {
        this.days[to] = day;
        this.values[to] = value;
        late.pop();
      }
    }
  }
}
