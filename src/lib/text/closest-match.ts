/** Longest name that is compared; longer ones have no match. */
const MAX_LENGTH = 64;
/** Shortest substring that matches a longer name. */
const MIN_SUBSTRING_LENGTH = 4;

/**
 * The candidate that `name` was probably meant to be, or undefined. Case-insensitive; allows two
 * edits, or a third of the name's length, where an edit inserts, deletes, replaces or transposes
 * letters. A substring of a candidate (of four letters or more) counts as at most two edits.
 */
export const closestMatch = (name: string, candidates: readonly string[]): string | undefined =>
  closestMatches(name, candidates, 1)[0];

/** The candidates that `name` may have been meant to be, as `closestMatch`, the nearest first. */
export function closestMatches(name: string, candidates: readonly string[], most: number): string[] {
  if (name.length > MAX_LENGTH) return [];
  const wanted = name.toLowerCase();
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  return candidates
    .map((candidate) => {
      const lower = candidate.toLowerCase();
      const isSubstring = wanted.length >= MIN_SUBSTRING_LENGTH && lower.includes(wanted);
      const distance = isSubstring ? Math.min(2, lower.length - wanted.length) : editDistance(wanted, lower);
      return { candidate, distance };
    })
    .filter(({ candidate, distance }) => distance <= limit && distance < candidate.length)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** Optimal string alignment distance (Damerau-Levenshtein where no substring is edited twice). */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, at(before, column - 2) + 1);
      }
      current.push(cost);
    }
    before = above;
    above = current;
  }
  return at(above, b.length);
}

const at = (row: number[], column: number): number => row[column] ?? 0;
