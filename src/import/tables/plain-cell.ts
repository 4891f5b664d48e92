import { decodeHTMLStrict } from 'entities';

/** Signs that are not seen: soft hyphens, blanks without width, marks of direction and order. */
const UNSEEN = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g;

const BLANKS = /[\u00a0\u2002\u2003\u2007\u2009\u202f]/g;

/** Whether `plainCell` leaves each part of a text as it is. */
export const isPlain = (text: string): boolean =>
  !/[&\u00a0\u00ad\u2002-\u200f\u202f\u2060\ufeff]/.test(text);

/**
 * The text of a cell without unseen signs, with the characters that HTML's character references
 * stand for, and with plain blanks for narrow and unbreakable ones.
 */
export const plainCell = (cell: string): string =>
  isPlain(cell) ? cell : decodeHTMLStrict(cell).replace(UNSEEN, '').replace(BLANKS, ' ');
