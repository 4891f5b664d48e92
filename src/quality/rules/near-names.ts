import { foldForSearch } from '../../lib/text/folding.js';
import { RULES } from './rule-table.js';

/** A name in the form in which names are compared. */
interface ComparedName {
  /** Code points: letters, digits, and a dot between digits that something separates. */
  readonly characters: readonly string[];
  readonly text: string;
  readonly letters: number;
}

const LETTER = /^[\p{L}\p{M}]$/u;
const isLetter = (character: string) => LETTER.test(character);

/** 1.5 and 15 are not the same, so what separates digits counts. */
const SEPARATED_DIGITS = /(?<=\p{N})[^\p{L}\p{M}\p{N}]+(?=\p{N})/gu;
const SEPARATORS = /[^\p{L}\p{M}\p{N}.]+|(?<!\p{N})\.|\.(?!\p{N})/gu;

/** Names that are equal in this form differ by case, accents, blanks and punctuation alone. */
export function comparedText(name: string): string {
  return foldForSearch(name).normalize('NFC').replace(SEPARATED_DIGITS, '.').replace(SEPARATORS, '');
}

function comparedName(name: string): ComparedName {
  const text = comparedText(name);
  const characters = Array.from(text);
  return { characters, text, letters: characters.filter(isLetter).length };
}

/**
 * The pairs of records whose names may mean the same: equal but for case, accents, blanks and
 * punctuation, or different by one letter, never a digit, where the longer one has `letters` of
 * `near_duplicate` or more. Finds them by what names are without one of their letters, so the time
 * grows with the number of names and not with its square.
 * @returns each pair once, in the order of the records
 */
export function nearPairs<T extends { readonly name: string }>(records: readonly T[]): [T, T][] {
  const names = records.map(({ name }) => comparedName(name));
  const places = new Map<string, number[]>();
  const put = (text: string, index: number) => {
    const indexes = places.get(text);
    if (indexes === undefined) places.set(text, [index]);
    else if (indexes.at(-1) !== index) indexes.push(index);
  };
  names.forEach((name, index) => {
    // Without a letter or digit there is nothing to compare.
    if (name.text === '') return;
    put(name.text, index);
    for (const shorter of withoutOneLetter(name)) put(shorter, index);
  });
  const found = new Set<number>();
  for (const indexes of places.values()) {
    for (let later = 1; later < indexes.length; later++) {
      for (let earlier = 0; earlier < later; earlier++) {
        const [one, other] = [indexes[earlier]!, indexes[later]!];
        if (areNear(names[one]!, names[other]!)) found.add(one * records.length + other);
      }
    }
  }
  return [...found]
    .sort((one, other) => one - other)
    .map((pair) => [records[Math.floor(pair / records.length)]!, records[pair % records.length]!]);
}

/** What a name is without one of its letters, if it may be near another one by a letter. */
function* withoutOneLetter({ characters, letters }: ComparedName): Generator<string> {
  if (letters < RULES.near_duplicate.thresholds.letters - 1) return;
  for (let index = 0; index < characters.length; index++) {
    if (isLetter(characters[index]!)) yield characters.toSpliced(index, 1).join('');
  }
}

function areNear(one: ComparedName, other: ComparedName): boolean {
  if (one.text === other.text) return true;
  if (Math.max(one.letters, other.letters) < RULES.near_duplicate.thresholds.letters) return false;
  const [short, long] =
    one.characters.length <= other.characters.length
      ? [one.characters, other.characters]
      : [other.characters, one.characters];
  let index = 0;
  while (index < short.length && short[index] === long[index]) index++;
  if (!isLetter(long[index]!)) return false;
  const rest = long.slice(index + 1).join('');
  if (short.length < long.length) return rest === short.slice(index).join('');
  return isLetter(short[index]!) && rest === short.slice(index + 1).join('');
}
