import { foldForSearch } from '../../lib/text/folding.js';
import { RULES } from './rule-table.js';

/** A name in the form in which names are compared. */
interface ComparedName {
  /** Letters, digits, and a dot between digits that something separates. */
  readonly text: string;
  readonly letters: number;
}

const LETTER = /^[\p{L}\p{M}]$/u;
const isLetter = (character: string) => (character >= 'a' && character <= 'z') || LETTER.test(character);

/** 1.5 and 15 are not the same, so what separates digits counts. */
const SEPARATED_DIGITS = /(?<=\p{N})[^\p{L}\p{M}\p{N}]+(?=\p{N})/gu;
const SEPARATORS = /[^\p{L}\p{M}\p{N}.]+|(?<!\p{N})\.|\.(?!\p{N})/gu;

/** Names that are equal in this form differ by case, accents, blanks and punctuation alone. */
function comparedText(name: string): string {
  return foldForSearch(name).normalize('NFC').replace(SEPARATED_DIGITS, '.').replace(SEPARATORS, '');
}

function comparedName(name: string): ComparedName {
  const text = comparedText(name);
  return { text, letters: Array.from(text).filter(isLetter).length };
}

/**
 * Names by number, and the pairs of them that may mean the same: equal but for case, accents,
 * blanks and punctuation, or different by one letter, never a digit, where the longer one has
 * `letters` of `near_duplicate` or more. Finds them by what names are without one of their letters,
 * so the time of a change does not grow with the number of names.
 */
export class NearNames {
  private readonly names = new Map<number, ComparedName>();
  /**
   * The numbers of names by the hashes of their texts, whole and without one letter: most hashes
   * have one, for which no array is made.
   */
  private readonly byHash = new Map<number, number | readonly number[]>();
  /** The numbers of the names near a name; none for most. */
  private readonly near = new Map<number, Set<number>>();

  /** Adds a name, or replaces the one of this number. */
  set(id: number, name: string): void {
    this.delete(id);
    const compared = comparedName(name);
    // Without a letter or digit there is nothing to compare.
    if (compared.text === '') return;
    this.names.set(id, compared);
    for (const hash of hashesOf(compared)) {
      const others = this.numbersOf(hash);
      for (const other of others) if (areNear(compared, this.names.get(other)!)) this.join(id, other);
      this.byHash.set(hash, others.length === 0 ? id : [...others, id]);
    }
  }

  delete(id: number): void {
    const compared = this.names.get(id);
    if (compared === undefined) return;
    for (const hash of hashesOf(compared)) {
      const others = this.numbersOf(hash).filter((other) => other !== id);
      if (others.length === 0) this.byHash.delete(hash);
      else this.byHash.set(hash, others.length === 1 ? others[0]! : others);
    }
    for (const other of this.near.get(id) ?? []) this.part(other, id);
    this.near.delete(id);
    this.names.delete(id);
  }

  /** Whether a name is near another one. */
  isNear(id: number): boolean {
    return this.near.has(id);
  }

  /** Each pair once, the lower number first, in ascending order. */
  pairs(): [number, number][] {
    const pairs: [number, number][] = [];
    for (const [one, others] of this.near) {
      for (const other of others) if (one < other) pairs.push([one, other]);
    }
    return pairs.sort(([a, b], [c, d]) => a - c || b - d);
  }

  private numbersOf(hash: number): readonly number[] {
    const numbers = this.byHash.get(hash);
    if (numbers === undefined) return [];
    return typeof numbers === 'number' ? [numbers] : numbers;
  }

  private join(one: number, other: number): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const others = this.near.get(from);
      if (others === undefined) this.near.set(from, new Set([to]));
      else others.add(to);
    }
  }

  private part(one: number, other: number): void {
    const others = this.near.get(one);
    others?.delete(other);
    if (others?.size === 0) this.near.delete(one);
  }
}

/**
 * The pairs of records whose names may mean the same, as `NearNames` finds them.
 * @returns each pair once, in the order of the records
 */
export function nearPairs<T extends { readonly name: string }>(records: readonly T[]): [T, T][] {
  const names = new NearNames();
  for (const [index, { name }] of records.entries()) names.set(index, name);
  return names.pairs().map(([one, other]) => [records[one]!, records[other]!]);
}

const BASE = 0x01000193;
/** Keeps hashes so small that V8 stores them without an object each. */
const HASH_BITS = 0x3fffffff;

/**
 * The distinct hashes of a text, and of what it is without one of its letters if it may be near
 * another one by a letter. A hash is a polynomial of the code points, so that none of the shorter
 * texts has to be made: there is one for each letter of thousands of names.
 */
function hashesOf({ text, letters }: ComparedName): Set<number> {
  const characters = Array.from(text);
  let after = 0;
  let power = 1;
  const ends = characters.toReversed().map((character) => {
    const end = { after, power };
    after = (after + Math.imul(character.codePointAt(0)!, power)) | 0;
    power = Math.imul(power, BASE);
    return end;
  });
  const hashes = new Set([after & HASH_BITS]);
  if (letters < RULES.near_duplicate.thresholds.letters - 1) return hashes;
  let before = 0;
  for (const [index, character] of characters.entries()) {
    const end = ends[characters.length - 1 - index]!;
    if (isLetter(character)) hashes.add((Math.imul(before, end.power) + end.after) & HASH_BITS);
    before = (Math.imul(before, BASE) + character.codePointAt(0)!) | 0;
  }
  return hashes;
}

function areNear(one: ComparedName, other: ComparedName): boolean {
  if (one.text === other.text) return true;
  if (Math.max(one.letters, other.letters) < RULES.near_duplicate.thresholds.letters) return false;
  const [short, long] = [Array.from(one.text), Array.from(other.text)].sort(
    (a, b) => a.length - b.length,
  ) as [string[], string[]];
  let index = 0;
  while (index < short.length && short[index] === long[index]) index++;
  if (!isLetter(long[index]!)) return false;
  const rest = long.slice(index + 1).join('');
  if (short.length < long.length) return rest === short.slice(index).join('');
  return isLetter(short[index]!) && rest === short.slice(index + 1).join('');
}
