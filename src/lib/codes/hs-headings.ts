/** The number of the last heading of chapters 01 to 09 of the Harmonized System 2022. */
const LAST_HEADINGS = [6, 10, 9, 10, 11, 4, 14, 14, 10];
/** Headings of chapter 05 that were deleted. */
const DELETED = new Set(['0503', '0509']);

/**
 * The code of the Harmonized System that has lost its leading zero, as in a spreadsheet: `713` for
 * `0713`. Codes of up to six digits have an even number of them; national lines may have more.
 * @param digits a code of digits only
 * @returns the code itself where it has lost none; null where no chapter or heading has the other
 */
export function completeHsCode(digits: string): string | null {
  if (digits.length > 5 || digits.length % 2 === 0) return digits;
  const code = `0${digits}`;
  const last = LAST_HEADINGS[Number(digits[0]) - 1];
  if (last === undefined || digits.length === 1) return last === undefined ? null : code;
  const heading = Number(code.slice(2, 4));
  return heading >= 1 && heading <= last && !DELETED.has(code.slice(0, 4)) ? code : null;
}
