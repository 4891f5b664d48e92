/** Digits of other scripts as those of ASCII: `٢٠٢٤` is 2024. */
export const withPlainDigits = (text: string): string =>
  /[^\x00-\x7f]/.test(text) ? text.replace(/\p{Nd}/gu, plainDigit) : text;

/** The digits of a script stand in order, after a character that is no digit. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}
