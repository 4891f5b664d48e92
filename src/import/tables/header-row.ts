/** Lines among which the header of a table is searched for. */
export const MAX_TITLE_LINES = 30;

/** Cells of a line above which it is no title: `Prices, by market, in KES, 2024` has fewer. */
export const MAX_TITLE_CELLS = 6;

/** Cells that a header below a title has at least, also as a multiple of those of the title. */
const MIN_HEADER_CELLS = 3;
const HEADER_RATIO = 2;

/** The name of a column as a header has it, with line breaks as blanks. */
export const columnName = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** Cells of a line that are not blank. */
export const cellsOf = (names: readonly string[]): number => names.filter((name) => name !== '').length;

export const looksNumeric = (text: string): boolean => /^[+-]?[\d.,/: -]*\d[\d.,/: -]*$/.test(text);

/**
 * Whether a line is the header below another one, which is then of a title: that has at most half
 * of the cells of the header, which has no numbers, and the line below it is as long.
 * @param nextLength of the line below; null where there is none
 */
export function isHeaderBelow(
  title: readonly string[],
  names: readonly string[],
  nextLength: () => number | null,
): boolean {
  const cells = cellsOf(names);
  return (
    cells >= Math.max(MIN_HEADER_CELLS, HEADER_RATIO * cellsOf(title)) &&
    !names.some(looksNumeric) &&
    (nextLength() ?? cells) >= cells
  );
}
