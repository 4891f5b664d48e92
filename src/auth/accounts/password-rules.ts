/** Length limits in bytes of UTF-8. */
const MIN_PASSWORD_BYTES = 12;
export const MAX_PASSWORD_BYTES = 1024;

/**
 * Why a new password is rejected, as the end of a sentence that begins with "The password"; null if
 * it is accepted. The length is measured in bytes, because bytes are what is hashed.
 */
export async function passwordViolation(password: string, username: string): Promise<string | null> {
  const bytes = Buffer.byteLength(password);
  if (bytes < MIN_PASSWORD_BYTES) return `must be at least ${MIN_PASSWORD_BYTES} characters long.`;
  if (bytes > MAX_PASSWORD_BYTES) return `must be at most ${MAX_PASSWORD_BYTES} bytes long.`;
  if (password.trim() === '') return 'must not be blank.';
  if (password.toLowerCase().includes(username.toLowerCase())) return 'must not contain the user name.';
  if (await isCommonPassword(password))
    return 'is too common: it is among the first that an attacker would try.';
  return null;
}

/**
 * Whether a password is a sequence, a repetition, or on the list of common passwords, also with
 * digits and symbols around it or substituted for letters. Letter case does not matter.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const common = await commonPasswords();
  const text = password.toLowerCase();
  const stem = text.replace(/^[^a-z]+|[^a-z]+$/g, '');
  return (
    isSequence(text) ||
    isRepetition(text, common) ||
    [text, stem, undoSubstitutions(text), undoSubstitutions(stem)].some((each) => common.has(each))
  );
}

/**
 * The 49,000 most common passwords, in lower case. Loaded when the first password is set: the list
 * takes 18 MB, and a running server rarely needs it.
 */
export async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return (common ??= new Set(dictionary['passwords-common']));
}

let common: ReadonlySet<string> | undefined;

/** Common substitutions for letters ("leetspeak"). */
const SUBSTITUTIONS: Record<string, string> = {
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

const undoSubstitutions = (text: string) => text.replace(/[@431!0$57]/g, (sign) => SUBSTITUTIONS[sign]!);

/** Longest repeated unit that is always too weak; a longer one only if it is a common password. */
const MAX_TRIVIAL_UNIT = 4;

/** Whether the text repeats one weak unit; the last repetition may be incomplete. */
function isRepetition(text: string, common: ReadonlySet<string>): boolean {
  for (let length = 1; length <= text.length / 2; length++) {
    if (text.slice(length) === text.slice(0, -length)) {
      return length <= MAX_TRIVIAL_UNIT || common.has(text.slice(0, length));
    }
  }
  return false;
}

/** Sequences of the alphabet, the digits and the keyboard, in both directions. */
const SEQUENCES = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  '1234567890',
  'qwertyuiopasdfghjklzxcvbnm',
].flatMap((sequence) => [sequence.repeat(3), [...sequence.repeat(3)].reverse().join('')]);

const isSequence = (text: string) => SEQUENCES.some((sequence) => sequence.includes(text));
