/** Where an entry of a legend stands, and as much of its name as there is room for. */
export interface LegendEntry {
  readonly x: number;
  /** 0 for the first row. */
  readonly row: number;
  readonly name: string;
}

/** About the width of a character, in pixels. */
export const CHARACTER = 6.6;
/** Of the sign before a name, and of the room after it. */
const [SIGN, AFTER] = [22, 18];

/**
 * The entries of a legend, in rows that are as wide as the picture.
 * @param start where rows begin
 * @param width where they end
 */
export function legendEntries(names: readonly string[], start: number, width: number): LegendEntry[] {
  let [x, row] = [start, 0];
  return names.map((whole) => {
    const name = fitted(whole, width - start - SIGN);
    const needed = SIGN + name.length * CHARACTER;
    if (x > start && x + needed > width) [x, row] = [start, row + 1];
    const entry = { x, row, name };
    x += needed + AFTER;
    return entry;
  });
}

/** As much of a text as there is room for. */
export function fitted(content: string, width: number, character = CHARACTER): string {
  const maxLength = Math.max(1, Math.floor(width / character));
  const characters = Array.from(content);
  return characters.length <= maxLength ? content : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/**
 * A text in rows that divide it between words, and a word that is longer than a row at its end; the
 * last row is cut to its room.
 */
export function inRows(content: string, width: number, character: number, maxRows = 2): string[] {
  const room = Math.max(1, Math.floor(width / character));
  const characters = Array.from(content);
  if (maxRows === 1 || characters.length <= room) return [fitted(content, width, character)];
  const space = characters.lastIndexOf(' ', room);
  const [end, next] = space > 0 ? [space, space + 1] : [room, room];
  const rest = characters.slice(next).join('');
  return [characters.slice(0, end).join(''), ...inRows(rest, width, character, maxRows - 1)];
}
