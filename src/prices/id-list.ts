/** Lengths that lists of ids have in statements: few, so that the embedded engine keeps the statements prepared. */
const LENGTHS = [1, 5, 20, 50, 200, 500];

/** Most ids that one list takes. */
export const LONGEST_ID_LIST = LENGTHS.at(-1)!;

/** Ids for an `IN (…)`: the placeholders and the values for them. The last id is repeated to fill the list. */
export function idList(ids: readonly number[]): { places: string; values: number[] } {
  const length = LENGTHS.find((each) => each >= ids.length);
  if (length === undefined || ids.length === 0) throw new RangeError(`${ids.length} ids make no list.`);
  const last = ids.at(-1)!;
  return {
    places: `?${', ?'.repeat(length - 1)}`,
    values: Array.from({ length }, (_, index) => ids[index] ?? last),
  };
}
