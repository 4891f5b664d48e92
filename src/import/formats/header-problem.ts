import { quoteValue } from './values.js';

/** The columns of a layout of a CSV file. */
export interface HeaderLayout {
  readonly required: readonly string[];
  /** The other columns that it may have; null where any others are ignored. */
  readonly optional: readonly string[] | null;
}

/** Columns that a message names. */
const MAX_NAMED = 5;

/** Columns that are compared; more are of no file that a reader knows. */
const MAX_COMPARED = 500;

/** Edits between a column and one that is probably meant. */
const MAX_EDITS = 2;

/**
 * What is wrong with a header: the columns that are missing, not known or repeated, compared with
 * the layout that it has most columns of, and the name that is probably meant.
 * @returns null where it has less than half of the required columns of each layout, or all of them
 */
export function headerProblem(header: readonly string[], layouts: readonly HeaderLayout[]): string | null {
  if (header.length > MAX_COMPARED) return null;
  const shares = layouts.map(({ required }) => {
    const others = header.filter((name) => !required.includes(name));
    const there = required.filter((name) => header.includes(name) || nearest(name, others) !== null);
    return there.length / required.length;
  });
  const best = Math.max(...shares);
  if (best < 0.5) return null;
  const { required, optional } = layouts[shares.indexOf(best)]!;
  const known = new Set([...required, ...(optional ?? [])]);
  const unknown = header.filter((name) => !known.has(name));
  const missing = required.filter((name) => !header.includes(name));
  const guessed = new Set<string>();
  const problems = missing.map((name) => {
    const near = nearest(name, unknown);
    if (near !== null) guessed.add(near);
    return `the column ${name} is missing${near === null ? '' : `, unless ${quoteValue(near)} is meant to be it`}`;
  });
  if (optional !== null) {
    for (const name of new Set(unknown)) {
      if (guessed.has(name)) continue;
      const near = nearest(
        name,
        optional.filter((one) => !header.includes(one)),
      );
      const hint = near === null ? '' : `, unless it is meant to be ${near}`;
      problems.push(`the column ${quoteValue(name)} is not known${hint}`);
    }
    const repeated = new Set(header.filter((name, index) => known.has(name) && header.indexOf(name) < index));
    for (const name of repeated) problems.push(`the column ${name} is there more than once`);
  }
  if (problems.length === 0) return null;
  const more = problems.length - MAX_NAMED;
  const shown = problems.slice(0, MAX_NAMED).join('; ');
  return more > 0 ? `${shown}; and ${more} more columns` : shown;
}

/** The one of some names that is nearest to a name, if near; case and punctuation do not count. */
function nearest(name: string, names: readonly string[]): string | null {
  let found: string | null = null;
  let least = MAX_EDITS + 1;
  for (const other of names) {
    if (Math.abs(plain(name).length - plain(other).length) > MAX_EDITS) continue;
    const distance = edits(plain(name), plain(other));
    // Short names are all near each other.
    if (distance < least && distance * 3 <= plain(name).length) [found, least] = [other, distance];
  }
  return found;
}

const plain = (name: string) =>
  name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The Levenshtein distance of two texts. */
function edits(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const replaced = above[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, above[column]! + 1, current[column - 1]! + 1));
    }
    above = current;
  }
  return above[other.length]!;
}

/** The message for an input whose header is not one of a format. */
export function headerMessage(
  format: string,
  header: readonly string[],
  layouts: readonly HeaderLayout[],
  accepted: string,
): string {
  const problem = headerProblem(header, layouts);
  return problem === null
    ? `The input is not in the format ${format}. Accepted: ${accepted}.`
    : `The input is not in the format ${format}: ${problem}.`;
}
