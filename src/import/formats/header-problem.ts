import { type ImportRejected, WrongFormat } from './batch.js';
import { quoteValue } from './values.js';

/** The columns of a layout of a CSV file. */
export interface HeaderLayout {
  /** What messages call it, where a format has several. */
  readonly name?: string;
  readonly required: readonly string[];
  /** The other columns that it may have; null where any others are ignored. */
  readonly optional: readonly string[] | null;
  /** What files call a column in other words, which are read, too. */
  readonly otherNames?: Readonly<Record<string, readonly string[]>>;
}

/** What is wrong with a header, compared with the layout that it is nearest to. */
interface HeaderProblem {
  readonly layout: HeaderLayout;
  /** The required columns that it has, or nearly has, from 0 to 1. */
  readonly share: number;
  /** The same, of these and the columns that the layout does not know: to compare formats. */
  readonly nearness: number;
  readonly problem: string;
}

/** Columns that a message names. */
const MAX_NAMED = 5;

/** Columns that are compared; more are of no file that a reader knows. */
const MAX_COMPARED = 500;

/** Edits between a column and one that is probably meant. */
const MAX_EDITS = 2;

/** The share of the required columns from which a header is one of a layout with faults. */
const MIN_SHARE = 0.5;

/**
 * What is wrong with a header: the columns that are missing, not known or repeated, compared with
 * the layout that it has most columns of, and the name that is probably meant.
 * @returns null where it has no column of any layout, or all that one requires
 */
export function headerProblem(
  header: readonly string[],
  layouts: readonly HeaderLayout[],
): HeaderProblem | null {
  if (header.length > MAX_COMPARED) return null;
  const compared = layouts.map((layout) => {
    const missing = layout.required.filter((name) => !header.includes(name));
    const others = header.filter((name) => !isColumnOf(layout, name));
    const meant = nearestNames(missing, others);
    const { length } = layout.required;
    return { layout, missing, meant, share: (length - missing.length + meant.size) / length };
  });
  const nearest = compared.reduce((best, one) => (one.share > best.share ? one : best));
  const { layout, missing, meant, share } = nearest;
  if (share === 0) return null;
  let unknownCount = 0;
  const problems = missing.map((name) => {
    const near = meant.get(name);
    if (near !== undefined)
      return `the column ${name} is missing, unless ${quoteValue(near)} is meant to be it`;
    const others = layout.otherNames?.[name] ?? [];
    return `the column ${name} is missing${others.length === 0 ? '' : ` (also called ${others.join(', ')})`}`;
  });
  if (layout.optional !== null) {
    const guessed = new Set(meant.values());
    const unknown = [...new Set(header.filter((name) => !isColumnOf(layout, name) && !guessed.has(name)))];
    unknownCount = unknown.length;
    const absent = layout.optional.filter((name) => !header.includes(name));
    const options = nearestNames(unknown, absent);
    for (const name of unknown) {
      const near = options.get(name);
      const hint = near === undefined ? '' : `, unless it is meant to be ${near}`;
      problems.push(`the column ${quoteValue(name)} is not known${hint}`);
    }
    const repeated = new Set(
      header.filter((name, index) => isColumnOf(layout, name) && header.indexOf(name) < index),
    );
    for (const name of repeated) problems.push(`the column ${name} is there more than once`);
  }
  if (problems.length === 0) return null;
  const more = problems.length - MAX_NAMED;
  const shown = problems.slice(0, MAX_NAMED).join('; ');
  const { length } = layout.required;
  const nearness = (share * length) / (length + unknownCount);
  return { layout, share, nearness, problem: more > 0 ? `${shown}; and ${more} more columns` : shown };
}

const isColumnOf = ({ required, optional }: HeaderLayout, name: string): boolean =>
  required.includes(name) || (optional?.includes(name) ?? false);

/**
 * The one of other names that is meant by each of some names, if it is near; case and punctuation
 * do not count. The nearest pairs come first, and no name is in two of them.
 */
function nearestNames(names: readonly string[], others: readonly string[]): Map<string, string> {
  const pairs = names.flatMap((name) =>
    others.flatMap((other) => {
      const length = Math.min(plain(name).length, plain(other).length);
      if (Math.abs(plain(name).length - plain(other).length) > MAX_EDITS) return [];
      const distance = edits(plain(name), plain(other));
      // Short names are all near each other.
      return distance <= MAX_EDITS && distance * 3 <= length ? [{ name, other, distance }] : [];
    }),
  );
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const { name, other } of pairs.sort((one, two) => one.distance - two.distance)) {
    if (found.has(name) || taken.has(other)) continue;
    found.set(name, other);
    taken.add(other);
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

/**
 * The error for an input whose header is not one of a format.
 * @param accepted the layouts of the format, for messages
 */
export function wrongHeader(
  format: string,
  header: readonly string[],
  layouts: readonly HeaderLayout[],
  accepted: string,
): ImportRejected {
  const begin = `The input is not in the format ${format}`;
  const found = headerProblem(header, layouts);
  if (found === null) return new WrongFormat(`${begin}. Accepted: ${accepted}.`);
  const { layout, share, nearness, problem } = found;
  const name = layout.name === undefined ? '' : `, ${layout.name}`;
  const message =
    share < MIN_SHARE
      ? `${begin}. Accepted: ${accepted}. Compared with the nearest layout${name}: ${problem}.`
      : `${begin}: ${problem}${name && `; compared with the nearest layout${name}`}.`;
  return new WrongFormat(message, nearness);
}
