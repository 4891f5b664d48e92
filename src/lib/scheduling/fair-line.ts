/**
 * What waits, in lines by key: the lines have their turns one after the other, and each is in the
 * order in which its items came. So a key with many items delays the others by one at a time.
 */
export class FairLine<T> {
  /** In the order of their next turns; none is empty. */
  private readonly lines = new Map<string, T[]>();
  /** Items of all lines. */
  length = 0;

  /** Adds an item at the end of its key's line. */
  push(key: string, item: T): void {
    const line = this.lines.get(key);
    if (line === undefined) this.lines.set(key, [item]);
    else line.push(item);
    this.length++;
  }

  /** Takes the next item; undefined where none waits. */
  shift(): T | undefined {
    for (const [key, line] of this.lines) {
      const item = line.shift();
      this.lines.delete(key);
      if (line.length > 0) this.lines.set(key, line);
      this.length--;
      return item;
    }
    return undefined;
  }

  /** Takes an item out of its key's line. */
  remove(key: string, item: T): void {
    const line = this.lines.get(key) ?? [];
    const at = line.indexOf(item);
    if (at < 0) return;
    line.splice(at, 1);
    if (line.length === 0) this.lines.delete(key);
    this.length--;
  }

  /** The first items of all lines. */
  *heads(): Generator<T> {
    for (const [first] of this.lines.values()) yield first!;
  }

  /** Whether a key has its share of the items or more: as many as the lines have in the mean. */
  hasShare(key: string): boolean {
    return (this.lines.get(key)?.length ?? 0) * this.lines.size >= this.length;
  }
}
