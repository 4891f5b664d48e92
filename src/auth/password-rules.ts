import { commonPasswords } from './common-passwords.js';

/** Bytes of UTF-8 that a password may have. */
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 1024;

/**
 * Why a new password is refused, as the end of a sentence that begins with "The password"; null when it is good.
 * The length is counted in bytes, because that is what is hashed.
 */
export function passwordRefusal(password: string, username: string): string | null {
  const bytes = Buffer.byteLength(password);
  if (bytes < SHORTEST_PASSWORD) return `must have at least ${SHORTEST_PASSWORD} bytes.`;
  if (bytes > LONGEST_PASSWORD) return `may have at most ${LONGEST_PASSWORD} bytes.`;
  if (password.trim() === '') return 'may not be blank.';
  if (password.toLowerCase().includes(username.toLowerCase())) return 'may not hold the user name.';
  if (isCommonPassword(password)) return 'is too common: it is among the first that others would try.';
  return null;
}

/**
 * Whether a password is on the list of common ones, or is one of them dressed up: with digits and signs around it, with signs
 * in place of letters, or said twice. Letter case does not matter.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  const stem = text.replace(/^[^a-z]+|[^a-z]+$/g, '');
  return (
    isWalk(text) ||
    isRepetition(text) ||
    [text, stem, withLetters(text), withLetters(stem)].some((each) => commonPasswords().has(each))
  );
}

/** Signs and digits that stand for letters, and the letters. */
const DISGUISES: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

const withLetters = (text: string) => text.replace(/[@431!0$57]/g, (sign) => DISGUISES[sign]!);

/** Longest unit that counts as trivial however often it is said; longer ones only when they are common. */
const TRIVIAL_UNIT = 4;

/** Whether the text is one unit said over and over, with or without an incomplete last one. */
function isRepetition(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length++) {
    if (text.slice(length) === text.slice(0, -length)) {
      return length <= TRIVIAL_UNIT || commonPasswords().has(text.slice(0, length));
    }
  }
  return false;
}

/** Ways along the alphabet, the digits and the keyboard. */
const WALKS = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  '1234567890',
  'qwertyuiopasdfghjklzxcvbnm',
].flatMap((walk) => [walk.repeat(3), [...walk.repeat(3)].reverse().join('')]);

const isWalk = (text: string) => WALKS.some((walk) => walk.includes(text));
