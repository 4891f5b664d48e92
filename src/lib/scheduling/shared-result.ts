/** Shares an expensive result: calls within `ttlMs` of its start get the same promise. */
export function sharedResult<T>(ttlMs: number, compute: () => Promise<T>): () => Promise<T> {
  let startedAt = -Infinity;
  let result: Promise<T>;
  return () => {
    const now = performance.now();
    if (now - startedAt >= ttlMs) {
      startedAt = now;
      result = compute();
    }
    return result;
  };
}
