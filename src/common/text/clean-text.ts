/** UTF-16 units of a text for each character that it is composed to, at most. */
const MOST_UNITS = 4;

/** Whether a text has more than `longest` characters however it is composed. To compose it may take the square of its length. */
export function isFarTooLong(text: string, longest: number): boolean {
  return text.length > MOST_UNITS * longest;
}

/**
 * The form in which texts are stored: trimmed and composed (normal form C).
 * @param longest how many characters it may have: a text far beyond is not composed, only to be refused for its length
 */
export function cleanText(text: string, longest: number): string {
  const trimmed = text.trim();
  return isFarTooLong(trimmed, longest) ? trimmed : trimmed.normalize('NFC');
}
