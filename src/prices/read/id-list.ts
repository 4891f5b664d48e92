/** Lengths of id lists in statements: only a few, so that SQLite can reuse prepared statements. */
const LIST_LENGTHS = [1, 5, 20, 50, 200, 500];

/** The most ids that one list can hold. */
export const MAX_LIST_IDS = LIST_LENGTHS.at(-1)!;

/**
 * The placeholders and values of an `IN (…)` list of ids. The last id is repeated to pad the list.
 * @throws RangeError unless there are 1 to `MAX_LIST_IDS` ids
 */
export function idList(ids: readonly number[]): { placeholders: string; values: number[] } {
  const length = LIST_LENGTHS.find((each) => each >= ids.length);
  if (length === undefined || ids.length === 0)
    throw new RangeError(`An id list must have 1 to ${MAX_LIST_IDS} ids, not ${ids.length}.`);
  const last = ids.at(-1)!;
  return {
    placeholders: `?${', ?'.repeat(length - 1)}`,
    values: Array.from({ length }, (_, index) => ids[index] ?? last),
  };
}
