/** Longest name that is compared; longer ones have no near neighbour here. */
const LONGEST = 64;
/** Letters that a part of a name must have to stand for it. */
const SHORTEST_PART = 4;

/**
 * The known name that `name` was probably meant to be, or undefined. Letter case does not count; otherwise at most two
 * edits, or a third of the name's length, where an edit is a letter added, dropped, changed or swapped with the next. A part
 * of a known name (of four letters or more) is nearly as good as a slip.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const lower = candidate.toLowerCase();
    const isPart = wanted.length >= SHORTEST_PART && lower.includes(wanted);
    const distance = isPart ? Math.min(2, lower.length - wanted.length) : editDistance(wanted, lower);
    if (distance < least && distance < candidate.length) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Optimal string alignment distance (Damerau-Levenshtein where no piece is edited twice). */
function editDistance(a: string, b: string): number {
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
