/** The most UTF-16 units that normal form C composes to one character. */
const MAX_UNITS_PER_CHARACTER = 4;

/**
 * Whether a text has more than `maxLength` characters in every normal form. Such a text is not
 * worth normalizing, which can take quadratic time.
 */
export function isTooLongToNormalize(text: string, maxLength: number): boolean {
  return text.length > MAX_UNITS_PER_CHARACTER * maxLength;
}

/**
 * The form in which texts are stored: trimmed, in Unicode normal form C.
 * @param maxLength of the field in characters; a text far beyond it is only trimmed, because it
 * will be rejected for its length
 */
export function normalizeText(text: string, maxLength: number): string {
  const trimmed = text.trim();
  return isTooLongToNormalize(trimmed, maxLength) ? trimmed : trimmed.normalize('NFC');
}
