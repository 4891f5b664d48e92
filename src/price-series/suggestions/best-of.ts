/**
 * The first `limit` items in an order, without sorting all of them.
 * @param compare never 0 for two different items, or their order is that of `items`
 */
export function bestOf<T>(items: Iterable<T>, limit: number, compare: (one: T, other: T) => number): T[] {
  const best: T[] = [];
  for (const item of items) {
    if (best.length === limit && compare(item, best[limit - 1]!) >= 0) continue;
    let at = best.length;
    while (at > 0 && compare(item, best[at - 1]!) < 0) at--;
    best.splice(at, 0, item);
    if (best.length > limit) best.pop();
  }
  return best;
}
